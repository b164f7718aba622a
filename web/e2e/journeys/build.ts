/** A person changes what a robot is made of, while it stands and while it moves. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';

const journey = journeyOn('arm');

it('a joint that a controller needs is deleted: the controller says so, and Undo brings both back', async () => {
  const bench = await journey.open();
  await bench.select('arm::elbow');
  await bench.page.keyboard.press('Delete');
  await bench.row('elbow').waitFor({ state: 'detached' });
  const start = await bench.position('arm::forearm');
  await bench.play();
  const stopped = bench.page.locator('.status-bar .chip').filter({ hasText: 'JointPositionController stopped' });
  await stopped.waitFor();
  expect(await stopped.getAttribute('title')).toContain('elbow');
  // Nothing holds the forearm any more.
  await bench.untilDistance('arm::forearm', start, 'farther', 0.3);
  await bench.pause();

  await bench.button('Undo').click();
  await bench.row('elbow').waitFor();
  await bench.untilDistance('arm::forearm', start, 'nearer', 0.001);
  await bench.play();
  await expect.poll(() => bench.simTimeSecs(), { timeout: 60_000 }).toBeGreaterThan(0.5);
  await bench.pause();
  expect(await stopped.count()).toBe(0);
  await bench.untilDistance('arm::forearm', start, 'nearer', 0.3);
  await bench.close();
});

it('limits and the kind of a joint change while the world runs', async () => {
  const bench = await journey.open();
  await bench.play();
  await bench.select('arm::shoulder_pan');
  await bench.set('axes 0 limits lower', '-10 deg');
  await bench.set('axes 0 limits upper', '10 deg');
  // The wave that drives the joint wants farther, and may not.
  await expect.poll(() => bench.simTimeSecs(), { timeout: 120_000 }).toBeGreaterThan(3);
  await bench.pause();
  const angle = Number(await bench.field('joint position 0').inputValue());
  expect(Math.abs(angle)).toBeGreaterThan(0.1);
  expect(Math.abs(angle)).toBeLessThan(0.2);
  await bench.picture('inspector-joint');

  await bench.button('axes 0 limits upper infinite').click();
  await bench.untilField('axes 0 limits upper', '∞');
  await bench.field('kind').selectOption('fixed');
  await expect.poll(() => bench.field('axes 0 limits upper').count()).toBe(0);
  await bench.untilUndo('Set kind of arm::shoulder_pan');
  await bench.button('Undo').click();
  await bench.untilField('axes 0 limits upper', '∞');
  await bench.close();
});

it('a link with a joint is added, carries a sensor, and falls off when its joint goes', async () => {
  const bench = await journey.open();
  await bench.select('arm');
  let dialog = await bench.add('Add link…');
  await dialog.getByLabel('Name').fill('camera_mast');
  await dialog.getByLabel('Shape').selectOption('cylinder');
  await dialog.getByLabel('Radius').fill('3 cm');
  await dialog.getByLabel('Length').fill('40 cm');
  await dialog.getByLabel('Position z').fill('2.2');
  await bench.picture('add-link');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await bench.inspector.getByRole('heading', { name: 'camera_mast' }).waitFor();

  dialog = await bench.add('Add sensor…');
  await dialog.getByLabel('Kind').selectOption('imu');
  await dialog.getByLabel('Update rate').fill('200');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await bench.inspector.getByRole('heading', { name: 'sensor' }).waitFor();
  await bench.untilField('update rate hz', '200');

  await bench.select('arm');
  dialog = await bench.add('Add joint…');
  await dialog.getByLabel('Name').fill('mast');
  await dialog.getByLabel('Kind').selectOption('fixed');
  await dialog.getByLabel('Parent').selectOption('world');
  await dialog.getByLabel('Child').selectOption('camera_mast');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await bench.inspector.getByRole('heading', { name: 'mast' }).waitFor();

  const start = await bench.position('arm::camera_mast');
  await journey.server.command('world', 'step', '300');
  await bench.untilSimTime(0.3);
  await bench.untilDistance('arm::camera_mast', start, 'nearer', 0.001);
  await bench.page.keyboard.press('Delete');
  await bench.row('mast').waitFor({ state: 'detached' });
  await journey.server.command('world', 'step', '300');
  await bench.untilDistance('arm::camera_mast', start, 'farther', 0.2);

  for (let n = 0; n < 4; n += 1) {
    await bench.page.keyboard.press('Control+z');
  }
  await bench.row('camera_mast').waitFor({ state: 'detached' });
  await bench.untilSimTime(0);
  await bench.close();
});

it('a dialog says what is wrong before and after it is sent', async () => {
  const bench = await journey.open();
  await bench.select('arm');
  const dialog = await bench.add('Add link…');
  await dialog.getByLabel('Name').fill('forearm');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('alert').getByText('There is a “forearm” already').waitFor();
  await bench.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  const text = await bench.add('Add SDF text…');
  await text.getByLabel('SDF text').fill('<visual name="v"/>');
  await text.getByRole('button', { name: 'Add', exact: true }).click();
  await text.getByRole('alert').waitFor();
  await bench.close();
});
