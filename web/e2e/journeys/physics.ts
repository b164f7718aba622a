/** A person tunes physics: switch, slide, compare, copy, save, and undo it all. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';

import type { Workbench } from '../harness/browser';
import { ownFolder } from '../harness/folders';
import { journeyOn } from '../harness/journey';
import { REPO, Server } from '../harness/server';

/** A copy, because one test saves into it. */
let file: string;

const journey = journeyOn(() => {
  file = path.join(ownFolder('physics'), 'tuned.sdf');
  copyFileSync(path.join(REPO, 'worlds/mixed_profiles.sdf'), file);
  return Server.open(file);
});

async function open(theme: 'dark' | 'light' = 'dark'): Promise<Workbench> {
  const bench = await journey.open(theme);
  await bench.button('Physics').click();
  await profile(bench, 'default').waitFor();
  return bench;
}

const profile = (bench: Workbench, name: string): Locator =>
  bench.page.getByRole('list', { name: 'Profiles' }).getByRole('button', { name: new RegExp(`^${name}\\b`, 'u') });
const settings = (bench: Workbench, name: string): Locator => bench.page.getByRole('region', { name: `Settings of ${name}` });
const setting = (bench: Workbench, label: string): Locator => bench.page.getByRole('group', { name: label, exact: true });

/** The values in force, as the command line has them. */
async function inForce(): Promise<{ readonly current: string; readonly in_force: Readonly<Record<string, string>> }> {
  return JSON.parse(await journey.server.command('physics', 'show', '--format', 'json')) as Awaited<ReturnType<typeof inForce>>;
}

async function valueOf(name: string, key: string): Promise<string | undefined> {
  const profiles = JSON.parse(await journey.server.command('physics', 'list', '--format', 'json')) as readonly {
    readonly name: string; readonly values: Readonly<Record<string, { readonly value: string }>>;
  }[];
  return profiles.find((one) => one.name === name)?.values[key]?.value;
}

it('one click puts a profile in force, and Ctrl+Z takes it back', async () => {
  const bench = await open();
  await bench.page.getByRole('radio', { name: 'Use coarse' }).click();
  await expect.poll(async () => (await inForce()).current).toBe('coarse');
  await settings(bench, 'coarse').waitFor();
  await expect.poll(() => setting(bench, 'Max step size').locator('.force').textContent()).toBe('0.005 s');
  await expect.poll(() => setting(bench, 'Substeps').getByLabel('Substeps', { exact: true }).inputValue()).toBe('1');
  expect(await bench.page.getByRole('radio', { name: 'Use coarse' }).isChecked()).toBe(true);
  await bench.untilUndo(/coarse/u);
  await bench.page.keyboard.press('Control+z');
  await expect.poll(async () => (await inForce()).current).toBe('default');
  await expect.poll(() => bench.page.getByRole('radio', { name: 'Use default' }).isChecked()).toBe(true);
  await bench.close();
});

it('dragging a slider is felt live and is one step of the history', async () => {
  const bench = await open();
  const slider = setting(bench, 'Substeps').getByLabel('Substeps slider');
  const box = await slider.boundingBox();
  if (box === null) {
    throw new Error('the slider is not shown');
  }
  const [left, middle] = [box.x + 8, box.y + box.height / 2];
  await bench.page.mouse.move(left, middle);
  await bench.page.mouse.down();
  for (const share of [0.2, 0.4, 0.6, 0.5]) {
    await bench.page.mouse.move(box.x + box.width * share, middle, { steps: 3 });
    const shown = await setting(bench, 'Substeps').getByLabel('Substeps', { exact: true }).inputValue();
    await expect.poll(async () => (await inForce()).in_force['rapier/substeps']).toBe(shown);
  }
  await bench.page.mouse.up();
  await expect.poll(() => setting(bench, 'Substeps').locator('.force').textContent()).toBe(await setting(bench, 'Substeps').getByLabel('Substeps', { exact: true }).inputValue());
  expect(Number((await inForce()).in_force['rapier/substeps'])).toBeGreaterThan(10);
  await bench.picture('physics');
  await bench.untilUndo(/substeps/u);
  await bench.page.keyboard.press('Control+z');
  await expect.poll(async () => (await inForce()).in_force['rapier/substeps']).toBe('2');
  await expect.poll(() => bench.button('Undo').getAttribute('title')).toBe('Nothing to undo (Ctrl+Z)');
  await bench.close();
});

it('numbers, choices and gravity are set, and what is not allowed is refused in its place', async () => {
  const bench = await open();
  await setting(bench, 'Max step size').getByLabel('Max step size', { exact: true }).fill('2 ms');
  await bench.page.keyboard.press('Enter');
  await expect.poll(async () => (await inForce()).in_force['max_step_size']).toBe('0.002');
  await setting(bench, 'Max step size').getByLabel('Max step size', { exact: true }).fill('5');
  await bench.page.keyboard.press('Enter');
  await expect.poll(() => setting(bench, 'Max step size').getByRole('alert').textContent()).toBe('It takes a number from 1e-9 to 0.1 s, not 5');
  expect((await inForce()).in_force['max_step_size']).toBe('0.002');

  await setting(bench, 'Gravity').getByRole('button', { name: 'Set own' }).click();
  await setting(bench, 'Gravity').getByLabel('Gravity z').fill('-1.62');
  await bench.page.keyboard.press('Enter');
  await expect.poll(async () => (await inForce()).in_force['gravity']).toBe('0 0 -1.62');

  await setting(bench, 'Type').getByRole('combobox').selectOption('ode');
  await expect.poll(() => setting(bench, 'Type').locator('.unused').textContent()).toMatch(/rapier/u);
  expect(await setting(bench, 'Type').locator('.force').textContent()).toBe('rapier');
  await setting(bench, 'Sleeping').getByRole('switch').click();
  await expect.poll(async () => (await inForce()).in_force['rapier/sleeping']).toBe('false');
  await setting(bench, 'Type').scrollIntoViewIfNeeded();
  await bench.picture('physics-refused');
  await bench.close();
});

it('profiles are compared, copied, tuned, removed and brought back', async () => {
  const bench = await open('light');
  await profile(bench, 'accurate').click();
  await bench.page.getByLabel('Compare with').selectOption('coarse');
  await expect.poll(() => bench.page.getByRole('status', { name: 'Differences' }).textContent()).toBe('3 differ');
  await expect.poll(() => setting(bench, 'Substeps').locator('.other').textContent()).toBe('1');
  expect(await setting(bench, 'Real time factor').getAttribute('class')).not.toContain('differs');
  await bench.picture('physics-compare');

  await bench.button('Copy profile').click();
  await bench.page.getByRole('dialog').getByLabel('Name').fill('fast');
  await bench.page.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => bench.page.getByRole('dialog').getByRole('alert').textContent()).toBe('There is a profile named fast already');
  await bench.page.getByRole('dialog').getByLabel('Name').fill('mine');
  await bench.page.getByRole('button', { name: 'Create' }).click();
  await settings(bench, 'mine').waitFor();
  // A profile that is not in force is tuned without a change to the world.
  await setting(bench, 'Solver iterations').getByLabel('Solver iterations', { exact: true }).fill('24');
  await bench.page.keyboard.press('Enter');
  await expect.poll(() => valueOf('mine', 'rapier/solver_iterations')).toBe('24');
  expect((await inForce()).in_force['rapier/solver_iterations']).toBe('8');

  await bench.button('Remove profile').click();
  await expect.poll(() => valueOf('mine', 'type')).toBeUndefined();
  await bench.untilUndo(/mine/u);
  await bench.page.keyboard.press('Control+z');
  await expect.poll(() => valueOf('mine', 'rapier/solver_iterations')).toBe('24');
  await profile(bench, 'mine').waitFor();
  await profile(bench, 'default').click();
  expect(await bench.page.getByRole('button', { name: /^Remove profile/u }).isDisabled()).toBe(true);
  await bench.close();
});

it('profiles are loaded from a file, given to one, and saved into the world', async () => {
  const bench = await open();
  const moon = path.join(path.dirname(file), 'moon.sdf');
  writeFileSync(moon, '<sdf version="1.11"><physics name="moon" type="rapier"><gravity>0 0 -1.62</gravity></physics></sdf>');
  await bench.page.getByLabel('Profile file').setInputFiles(moon);
  await expect.poll(() => valueOf('moon', 'gravity')).toBe('0 0 -1.62');
  await profile(bench, 'moon').click();

  await bench.button('Save as…').click();
  const saved = bench.page.waitForEvent('download');
  await bench.page.getByRole('menuitem', { name: 'moon to a file' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('moon.sdf');
  expect(readFileSync(await download.path(), 'utf8')).toContain('<gravity>0 0 -1.62</gravity>');

  await bench.button('Save as…').click();
  await bench.page.getByRole('menuitem', { name: 'Into the world’s file' }).click();
  await bench.told(/^Saved /u);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('<physics name="moon"');
  expect(text).toContain('The heavy block on the light tower'); // Comments stay.

  writeFileSync(moon, '<sdf version="1.11"><physics name="bad"><max_step_size>-1</max_step_size></physics></sdf>');
  await bench.page.getByLabel('Profile file').setInputFiles(moon);
  await expect.poll(() => settings(bench, 'moon').getByRole('alert').first().textContent()).toMatch(/max_step_size/u);
  expect(await valueOf('bad', 'type')).toBeUndefined();
  // Somebody else's changes are not written over.
  writeFileSync(file, `${text}<!-- theirs -->\n`);
  await bench.button('Save as…').click();
  await bench.page.getByRole('menuitem', { name: 'Into the world’s file' }).click();
  await expect.poll(() => settings(bench, 'moon').getByRole('alert').first().textContent()).toMatch(/was changed by someone else/u);
  expect(readFileSync(file, 'utf8')).toContain('theirs');
  await bench.close();
});

it('Run again starts over with the tuned values', async () => {
  const bench = await open();
  await setting(bench, 'Solver iterations').getByLabel('Solver iterations', { exact: true }).fill('16');
  await bench.page.keyboard.press('Enter');
  await expect.poll(async () => (await inForce()).in_force['rapier/solver_iterations']).toBe('16');
  await bench.play();
  await expect.poll(() => bench.simTimeSecs()).toBeGreaterThan(0.2);
  await bench.button('Run again').click();
  await bench.pause();
  expect((await inForce()).in_force['rapier/solver_iterations']).toBe('16');
  const history = JSON.parse(await journey.server.command('history', '--format', 'json')) as { readonly undo: readonly { readonly description: string }[] };
  expect(history.undo.map(({ description }) => description).join()).toMatch(/[Rr]eset/u);
  await bench.close();
});

it('has room at 1920×1080', async () => {
  const bench = await open('light');
  await bench.page.setViewportSize({ width: 1920, height: 1080 });
  await bench.page.getByLabel('Compare with').selectOption('coarse');
  await expect.poll(() => bench.page.getByRole('status', { name: 'Differences' }).textContent()).toBe('3 differ');
  await bench.picture('physics-wide');
  await bench.close();
});
