/** A person records what happens, and what they undo meanwhile. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

import { ownFolder } from '../harness/folders';
import { journeyOn } from '../harness/journey';
import { recorded } from '../harness/logs';
import { Server } from '../harness/server';

let folder: string;

const journey = journeyOn(() => {
  folder = ownFolder('logs');
  return Server.start('cones', { more: ['--log-dir', folder] });
});

it('records, goes on through an undo, and leaves a file', async () => {
  const bench = await journey.open();
  const record = bench.button('Record');
  expect(await record.getAttribute('aria-pressed')).toBe('false');
  await record.click();
  await expect.poll(() => record.getAttribute('aria-pressed')).toBe('true');
  expect(await record.getAttribute('title')).toMatch(/^Stop recording cones.*\.mcap, \d.* [kM]?B so far \(L\)$/u);

  await journey.server.command('world', 'step', '500');
  await journey.server.command('entity', 'move', 'cone_1', '--to', '1', '3', '0.5');
  await journey.server.command('world', 'step', '1500');
  await bench.untilSimTime(2);
  await expect.poll(async () => (await recorded(bench))?.secs, { timeout: 20_000 }).toBe(2);
  const before = await recorded(bench);
  // Both are read in full, also in a small window.
  for (const text of [bench.page.locator('.top-bar .world'), record]) {
    expect(await text.evaluate(({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth <= clientWidth)).toBe(true);
  }
  expect(await bench.page.locator('.top-bar').evaluate(({ clientWidth, scrollWidth }) => scrollWidth <= clientWidth)).toBe(true);
  await bench.picture('record');

  await bench.button('Undo').click();
  await bench.untilSimTime(0.5);
  await journey.server.command('world', 'step', '2000');
  // The recording time does not go back.
  await expect.poll(async () => (await recorded(bench))?.secs, { timeout: 20_000 }).toBe(4);
  expect((await recorded(bench))?.size).not.toBe(before?.size);

  await record.click();
  await bench.told(/^Recorded 4\.0 s to cones.*\.mcap \(\d.* [kM]B\)$/u);
  expect(await record.getAttribute('aria-pressed')).toBe('false');
  const [file, ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  expect(file).toMatch(/\.mcap$/u);
  expect(statSync(path.join(folder, file ?? '')).size).toBeGreaterThan(1000);
  await bench.close();
});

it('a name, fewer states and a refusal, and another page sees it', async () => {
  const bench = await journey.open();
  const other = await journey.open('light');
  await bench.button('Recording settings').click();
  const dialog = bench.page.getByRole('dialog', { name: 'Recording settings' });
  await dialog.getByLabel('File', { exact: true }).fill('../outside.mcap');
  await dialog.getByLabel('States per second').selectOption('60');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('File', { exact: true }).fill('slow.mcap');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => other.button('Record').getAttribute('title')).toMatch(/^Stop recording slow\.mcap, \d/u);

  // The last state that is due is not the last one.
  await journey.server.command('world', 'step', '1500');
  await expect.poll(async () => (await recorded(other))?.secs, { timeout: 20_000 }).toBe(1);
  await other.page.keyboard.press('l');
  await bench.told(/^Recorded 1\.[45] s to slow\.mcap/u);
  expect(readdirSync(folder)).toContain('slow.mcap');
  await bench.close();
  await other.close();
});
