/** Signals are plotted, measured, compared and saved. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';
import { PlotsPanel } from '../harness/plots';

const journey = journeyOn('pendulums');
const ANGLE = 'wave_1::pivot::angle';
/** The first two colours that curves get. */
const BLUE = [0x5c, 0x85, 0xe7] as const;

/** Energy of wave_1 from its centre of mass; the swing about it is part of it. */
const ENERGY = '0.5 * 1.02 * norm("wave_1::bob::inertial::linear_velocity.x", "wave_1::bob::inertial::linear_velocity.z")^2'
  + ' + 0.5 * 0.00424931 * "wave_1::pivot::velocity"^2 + 1.02 * 9.81 * "wave_1::bob::inertial::pose.position.z"';

async function openEmpty(theme: 'dark' | 'light' = 'dark'): Promise<PlotsPanel> {
  const panel = await PlotsPanel.open(await journey.open(theme));
  await panel.page.getByText('Nothing is plotted').waitFor();
  return panel;
}

const step = (count: number) => journey.server.command('world', 'step', String(count));

it('the angle of a joint is dragged onto a plot and swings', async () => {
  const panel = await openEmpty();
  await panel.picture('plots-empty');
  const angle = await panel.browse('Models', 'wave_1', 'pivot', 'angle');
  await angle.dragTo(panel.page.getByText('Nothing is plotted'));
  await panel.heard('Plot 1', ANGLE);
  await step(4000);
  // It was let go at rest: half a swing later it is on the other side, at twice the angle.
  await expect.poll(() => panel.pixels('Plot 1', BLUE), { timeout: 30_000 }).toBeGreaterThan(200);
  expect(await panel.range('Plot 1')).toEqual([0, 10]);

  // The last value at or before the mouse, on all plots of the tab.
  await (await panel.browse('Models', 'wave_1', 'pivot', 'velocity')).dblclick();
  await panel.curve('Plot 1', 'wave_1::pivot::velocity').waitFor();
  await panel.hover('Plot 1', 0.3);
  await expect.poll(() => panel.value('Plot 1', ANGLE)).not.toBeNaN();

  // A box zooms, a double click goes back.
  const box = await panel.box('Plot 1');
  await panel.page.mouse.move(box.x + 200, box.y + 80);
  await panel.page.mouse.down();
  await panel.page.mouse.move(box.x + 400, box.y + 85, { steps: 4 });
  await panel.page.mouse.up();
  await expect.poll(async () => (await panel.range('Plot 1'))[1]).toBeLessThan(6);
  expect(await panel.bench.button('Follow live').getAttribute('aria-pressed')).toBe('false');
  await panel.canvas('Plot 1').dblclick({ position: { x: 300, y: 80 } });
  await expect.poll(() => panel.range('Plot 1')).toEqual([0, 10]);
  expect(await panel.bench.button('Follow live').getAttribute('aria-pressed')).toBe('true');

  // The page keeps nothing: after a reload the plots are the host's.
  await panel.page.reload();
  await panel.bench.connected();
  await panel.curve('Plot 1', ANGLE).waitFor();
  await expect.poll(() => panel.pixels('Plot 1', BLUE), { timeout: 30_000 }).toBeGreaterThan(200);
  await panel.bench.close();
});

it('signals are found by name, in topics by index, and vectors come whole', async () => {
  const panel = await openEmpty();
  await panel.search('no such signal');
  await panel.page.getByText('No signal matches').waitFor();
  await panel.search('wave_2::bob::inertial::linear_velocity');
  await panel.row('wave_2::bob::inertial::linear_velocity').click();
  await panel.page.keyboard.press('Enter');
  for (const part of ['x', 'y', 'z']) {
    await panel.curve('Plot 1', `wave_2::bob::inertial::linear_velocity.${part}`).waitFor();
  }
  await panel.search('');

  // Messages tell how long an array is, so the world runs.
  await panel.bench.play();
  const turned = await panel.browse('Topics', '/world/pendulums/pose/info', 'pose[]', '[5]', 'pose', 'orientation', 'y');
  await panel.bench.button('Add plot').click();
  await turned.dblclick();
  await panel.curve('Plot 2', '/world/pendulums/pose/info:pose[5].pose.orientation.y').waitFor();
  await expect.poll(() => panel.value('Plot 2', '/world/pendulums/pose/info:pose[5].pose.orientation.y'), { timeout: 30_000 }).not.toBeNaN();
  await panel.picture('plots-signals');
  await panel.bench.pause();
  await panel.bench.close();
});

it('a derived item is computed, and a mistake in it is shown where it is', async () => {
  const panel = await openEmpty();
  await panel.derive('energy', '0.5 * sqrt($x)', 'J');
  const fault = panel.dialog.getByRole('alert');
  await fault.waitFor();
  expect((await fault.locator('pre').textContent())?.split('\n')[1]).toMatch(/^ {11}\^/u);
  await panel.picture('plots-derived');
  await panel.dialog.getByLabel('Expression', { exact: true }).fill(ENERGY);
  await panel.dialog.getByRole('button', { name: 'Create' }).click();
  await panel.dialog.waitFor({ state: 'detached' });
  await panel.heard('Plot 1', 'energy');
  await step(7000);
  await expect.poll(() => panel.value('Plot 1', 'energy'), { timeout: 30_000 }).toBeGreaterThan(0);

  // Energy is kept: it deviates by little from its mean.
  await panel.bench.button('Measure').click();
  const cells = panel.page.getByRole('region', { name: 'Statistics' }).getByRole('row').nth(1).getByRole('cell');
  await expect.poll(async () => Number((await cells.nth(10).textContent())), { timeout: 20_000 }).toBeGreaterThan(100);
  const [mean, deviation] = [Number(await cells.nth(7).textContent()), Number((await cells.nth(9).textContent())?.replaceAll('−', '-'))];
  expect(deviation / mean).toBeLessThan(0.01);

  // It is in the tree like any other signal, and goes with its curve.
  await panel.browse('Derived', 'energy');
  await panel.row('energy').hover();
  await panel.row('energy').getByRole('button', { name: 'Edit energy' }).click();
  await panel.dialog.getByRole('button', { name: 'Delete' }).click();
  await panel.curve('Plot 1', 'energy').waitFor({ state: 'detached' });
  await panel.bench.close();
});

it('angle over velocity is an ellipse, and a swing has one frequency', async () => {
  const panel = await openEmpty();
  await panel.load(JSON.stringify({
    version: 1,
    tab: [{
      id: 'tab', title: 'Swing',
      plot: [
        { id: 'xy', title: 'Phase', kind: 'KIND_XY', curve: [{ id: 'phase', signal: ANGLE, xSignal: 'wave_1::pivot::velocity' }] },
        { id: 'spectrum', title: 'Spectrum', kind: 'KIND_SPECTRUM', rateHz: 100, curve: [{ id: 'amplitude', signal: ANGLE, color: '#5c85e7', width: 2 }] },
      ],
    }],
  }));
  await panel.heard('Phase', ANGLE);
  await panel.heard('Spectrum', ANGLE);
  // In parts: a spectrum needs every sample, and a busy host has time to hear them in between.
  for (let part = 0; part < 9; part += 1) {
    await step(1000);
  }
  // As wide to the left as to the right: the velocity is along x.
  await expect.poll(() => panel.pixels('Phase', BLUE), { timeout: 30_000 }).toBeGreaterThan(200);
  await expect.poll(async () => (await panel.range('Phase'))[0]).toBeLessThan(0);
  await expect.poll(async () => (await panel.range('Phase')).reduce((from, to) => from + to)).toBeCloseTo(0, 1);
  // Frequencies begin at zero and end at half the sampling rate.
  await expect.poll(() => panel.pixels('Spectrum', BLUE), { timeout: 30_000 }).toBeGreaterThan(50);
  await expect.poll(async () => (await panel.range('Spectrum'))[0]).toBe(0);
  await expect.poll(async () => (await panel.range('Spectrum'))[1]).toBeCloseTo(50, 1);
  await panel.picture('plots-phase');
  await panel.bench.close();
});
