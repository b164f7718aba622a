/**
 * A first hour: what the page can do, one thing after the other, as somebody new would try it. Each
 * is done, seen and taken back. What goes deeper has a journey of its own.
 */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';
import { dragBy, handleAt } from '../harness/view';

const journey = journeyOn('cones');

it('runs the world, and goes back to its beginning', async () => {
  const bench = await journey.open();
  const start = await bench.position('vehicle');
  await bench.page.keyboard.press('Space');
  await bench.untilDistance('vehicle', start, 'farther', 0.5);
  await bench.page.keyboard.press('Space');
  await bench.button('Play').waitFor();
  await bench.picture('tour-run');
  const at = await journey.server.simTimeSecs();
  await bench.button('Step').click();
  await bench.untilSimTime(at + 0.001);
  await bench.button('Reset').click();
  await bench.untilDistance('vehicle', start, 'nearer', 0.001);
  await bench.close();
});

it('builds: inserts, moves by a handle, types a number, and takes all of it back', async () => {
  const bench = await journey.open();
  const start = await bench.position('cone_2');
  await bench.insert('Box');
  await bench.inspector.getByRole('heading', { name: 'box', exact: true }).waitFor();
  await bench.select('cone_2');
  await bench.page.keyboard.press('f');
  await bench.page.keyboard.press('t');
  await dragBy(bench, await handleAt(bench, 'x'), [60, -10]);
  await bench.untilDistance('cone_2', start, 'farther', 0.05);
  await bench.set('Position z', '0.2');
  await expect.poll(async () => (await bench.position('cone_2'))[2]).toBeCloseTo(0.2, 6);
  await bench.button('History').click();
  await expect.poll(() => bench.timeline()).toHaveLength(4);
  await bench.page.keyboard.press('f');
  await bench.picture('tour-build');
  for (let n = 0; n < 3; n += 1) {
    await bench.button('Undo').click();
  }
  await bench.untilDistance('cone_2', start, 'nearer', 0.001);
  await bench.row('box').waitFor({ state: 'detached' });
  await bench.close();
});

it('looks inside: overlays, from above, and at the numbers of a wheel', async () => {
  const bench = await journey.open();
  await bench.select('vehicle');
  await bench.page.keyboard.press('f');
  for (const overlay of ['Collisions', 'Joints']) {
    await bench.button('Overlays').click();
    await bench.page.getByRole('menuitemcheckbox', { name: overlay, exact: true }).click();
  }
  await expect.poll(() => bench.page.getByRole('list', { name: 'Joints' }).getByRole('listitem').count()).toBe(2);
  await bench.select('vehicle::left_wheel_joint');
  await bench.picture('tour-inside');
  await bench.close();
});

it('tunes physics while others watch, and undo is for all', async () => {
  const [bench, other] = [await journey.open(), await journey.open('light')];
  await bench.button('Physics').click();
  const substeps = bench.page.getByRole('group', { name: 'Substeps', exact: true });
  await substeps.getByLabel('Substeps', { exact: true }).fill('6');
  await substeps.getByLabel('Substeps', { exact: true }).press('Enter');
  await expect.poll(() => substeps.locator('.force').textContent()).toBe('6');
  await bench.picture('tour-tune');
  // The other page sees who did it, and takes it back.
  await expect.poll(() => other.button('Undo').getAttribute('title')).toContain('substeps');
  await other.button('Undo').click();
  await expect.poll(() => substeps.locator('.force').textContent()).toBe('2');
  await other.close();
  await bench.close();
});
