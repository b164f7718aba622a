/** A person looks at a log: plays it, goes through it, and finds where time jumped. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';
import { PlaybackStrip } from '../harness/logs';
import { PlotsPanel } from '../harness/plots';
import { Server } from '../harness/server';

/** The log is only read, so one does for all. */
const folder = mkdtempSync(path.join(os.tmpdir(), 'retake-logs-'));
const file = path.join(folder, 'cones.mcap');
const journey = journeyOn(() => Server.play(file));

/** Two seconds, a move at 1 s of them undone, and two seconds more: 1 s to 2 s was passed twice. */
async function record(): Promise<void> {
  const server = await Server.start('cones', { more: ['--record', file] });
  await server.command('world', 'step', '1000');
  await server.command('entity', 'move', 'cone_1', '--to', '1', '3', '0.5');
  await server.command('world', 'step', '1000');
  await server.command('undo');
  await server.command('world', 'step', '2000');
  await server.command('log', 'stop');
  await server.kill();
}

beforeAll(record);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function open(theme?: 'dark' | 'light'): Promise<PlaybackStrip> {
  const strip = new PlaybackStrip(await journey.open(theme));
  await strip.slider.waitFor();
  await strip.untilAt(0, 0);
  return strip;
}

it('a log is no world: it says so, and cannot be edited', async () => {
  const { bench } = await open();
  expect(await bench.page.title()).toBe('cones.mcap (recording) – Retake');
  await bench.page.getByText('Recording', { exact: true }).waitFor();
  for (const hidden of ['Undo', 'Redo', 'Record', 'Insert', 'Reset']) {
    expect(await bench.button(hidden).count()).toBe(0);
  }
  await bench.row('cone_1').click();
  expect(await bench.inspector.getByRole('spinbutton').count()).toBe(0);
  await bench.page.keyboard.press('Delete');
  await bench.told('A recording cannot be edited');
  await bench.row('cone_1').waitFor();
  await bench.close();
});

it('plays to the end, at any speed, and again and again', async () => {
  const strip = await open();
  const { bench } = strip;
  const start = await bench.position('vehicle');
  await bench.page.getByRole('combobox', { name: 'Speed' }).selectOption('2');
  await bench.page.keyboard.press('Space');
  await bench.button('Pause').waitFor();
  await bench.untilDistance('vehicle', start, 'farther', 0.1);
  await bench.button('Play').waitFor();
  expect(await strip.atSecs()).toBeCloseTo(4, 2);

  await bench.button('Loop').click();
  await expect.poll(() => bench.button('Loop').getAttribute('aria-pressed')).toBe('true');
  await bench.page.getByRole('combobox', { name: 'Speed' }).selectOption('10');
  await bench.play();
  // It comes by the end and goes on: twice past the middle, and still playing.
  for (let round = 0; round < 2; round += 1) {
    await expect.poll(() => strip.atSecs(), { interval: 20, timeout: 20_000 }).toBeGreaterThan(2.5);
    await expect.poll(() => strip.atSecs(), { interval: 20, timeout: 20_000 }).toBeLessThan(1.5);
  }
  await bench.button('Loop').click();
  await bench.button('Play').waitFor();
  await bench.close();
});

it('goes state by state, by buttons and keys', async () => {
  const strip = await open();
  const { bench } = strip;
  for (let count = 0; count < 10; count += 1) {
    await bench.button('Step').click();
  }
  await strip.untilAt(0.01, 0.01);
  for (let count = 0; count < 10; count += 1) {
    await bench.page.keyboard.press('.');
  }
  await strip.untilAt(0.02, 0.02);
  await bench.button('Step back').click();
  for (let count = 0; count < 9; count += 1) {
    await strip.slider.press('ArrowLeft');
  }
  await strip.untilAt(0.01, 0.01);
  await strip.slider.press('End');
  await strip.untilAt(4, 3);
  await bench.close();
});

it('seeks by dragging, and stays paused', async () => {
  const strip = await open('light');
  const { bench } = strip;
  await strip.drag(0.1, 0.4);
  await expect.poll(() => strip.atSecs(), { timeout: 20_000 }).toBeCloseTo(1.6, 1);
  await bench.untilDistance('cone_1', [1, 3, 0], 'nearer', 0.6);
  await bench.button('Play').waitFor();
  await strip.drag(0.4, 0.75);
  // After the undo the cone is where it was.
  await bench.untilDistance('cone_1', [1, 3, 0], 'farther', 1);
  await expect.poll(() => strip.simSecs(), { timeout: 20_000 }).toBeCloseTo(2, 1);
  await bench.close();
});

it('plots have the whole log at once, without playing it', async () => {
  const strip = await open();
  const panel = await PlotsPanel.open(strip.bench);
  await (await panel.browse('Models', 'vehicle', 'pose')).dblclick();
  await panel.heard('Plot 1', 'vehicle::pose.position.x');
  // Three seconds of simulated time, whatever is shown now; the passes over one time lie above each other.
  await expect.poll(() => panel.range('Plot 1'), { timeout: 20_000 }).toEqual([0, 3]);
  await expect.poll(() => panel.pixels('Plot 1', [0x5c, 0x85, 0xe7]), { timeout: 20_000 }).toBeGreaterThan(80);
  await panel.browse('Topics', '/model/vehicle/odometry');
  await panel.picture('playback-plots');
  await strip.bench.close();
});

it('shows where time jumped, and every pass over a time', async () => {
  const strip = await open();
  const { bench } = strip;
  expect(await strip.mark('jump').count()).toBe(1);
  expect(await strip.mark('jump').getAttribute('title')).toMatch(/^undo.*: 2\.00 s → 1\.00 s$/u);
  expect(await strip.mark('command').getAttribute('title')).toContain('cone_1');

  await strip.goTo('1.5');
  await strip.untilAt(1.5, 1.5);
  await expect.poll(() => strip.pass.textContent()).toBe('pass 1 of 2');
  await bench.untilDistance('cone_1', [1, 3, 0], 'nearer', 0.6);
  expect(await bench.button('Previous pass').isDisabled()).toBe(true);
  await bench.picture('playback');
  await bench.button('Next pass').click();
  await strip.untilAt(2.5, 1.5);
  await expect.poll(() => strip.pass.textContent()).toBe('pass 2 of 2');
  await bench.untilDistance('cone_1', [1, 3, 0], 'farther', 1);
  expect(await bench.button('Next pass').isDisabled()).toBe(true);

  await strip.goTo('2.5');
  await strip.untilAt(3.5, 2.5);
  await expect.poll(() => strip.pass.textContent()).toBe('pass 1 of 1');
  await strip.goTo('99');
  await bench.page.getByRole('log', { name: 'Notifications' }).locator('.error').waitFor();
  await strip.slider.press('Shift+ArrowLeft');
  await strip.untilAt(2, 1);
  await bench.close();
});
