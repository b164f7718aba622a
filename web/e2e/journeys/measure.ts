/** A person measures in the view. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';
import { screenOf, serverPose } from '../harness/view';

const journey = journeyOn('arm');

it('a distance follows what moves, an angle has a corner, and all stays until it is cleared', async () => {
  const bench = await journey.open();
  const { mouse, keyboard } = bench.page;
  await bench.row('block_blue').click();
  await bench.row('block_green').click({ modifiers: ['Control'] });
  await bench.row('can').click({ modifiers: ['Control'] });
  await keyboard.press('f');
  const top = async (name: string, half: number): Promise<readonly [number, number, number]> => {
    const { position: [x, y, z] } = await serverPose(journey.server, name);
    return [x, y, z + half];
  };
  const [blue, green, can] = await Promise.all([top('block_blue', 0.04), top('block_green', 0.06), top('can', 0.06)]);
  await bench.button('Measure').click();
  await bench.page.getByText('Click the first place').waitFor();
  await mouse.click(...(await screenOf(bench, blue)));
  await bench.page.getByText('Click the second place').waitFor();
  await mouse.move(...(await screenOf(bench, green)));
  const readings = bench.page.getByRole('list', { name: 'Measurements' }).getByRole('listitem');
  await readings.first().waitFor();
  await mouse.click(...(await screenOf(bench, green)));
  const reading = async (): Promise<number> => Number.parseFloat((await readings.first().locator('strong').textContent()) ?? '');
  const apart = Math.hypot(...blue.map((value, n) => value - (green[n] ?? 0)));
  // A pixel is a few millimetres here.
  expect(Math.abs((await reading()) - apart)).toBeLessThan(0.01);
  expect(await readings.first().textContent()).toMatch(/Δx .*Δy .*Δz/u);
  await bench.picture('measure');

  // The place stays on the block when somebody moves it.
  const before = await reading();
  await journey.server.command('entity', 'move', 'block_blue', '--by', '0', '0', '0.5');
  await expect.poll(reading).toBeGreaterThan(before + 0.1);
  await journey.server.command('undo');
  await expect.poll(reading).toBeCloseTo(before, 2);

  await bench.button('Angle').click();
  for (const place of [blue, green, can]) {
    await mouse.click(...(await screenOf(bench, place)));
  }
  await expect.poll(() => readings.count()).toBe(2);
  expect(await readings.last().locator('strong').textContent()).toMatch(/^\d+\.\d\d°$/u);

  // The tool is put away, what was measured stays.
  await keyboard.press('Escape');
  expect(await bench.button('Measure').getAttribute('aria-pressed')).toBe('false');
  expect(await readings.count()).toBe(2);
  await readings.first().getByRole('button', { name: 'Remove measurement' }).click();
  await expect.poll(() => readings.count()).toBe(1);
  await bench.button('Measure').click();
  await bench.button('Clear').click();
  await expect.poll(() => readings.count()).toBe(0);
  await bench.close();
});
