/** A person plays, pauses, steps and resets a world. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';

const journey = journeyOn('cones');

it('plays until the vehicle moves, pauses, and brings it back', async () => {
  const bench = await journey.open();
  const start = await bench.position('vehicle');
  expect(await bench.simTimeSecs()).toBe(0);

  await bench.play();
  await bench.untilDistance('vehicle', start, 'farther', 0.5);
  await bench.picture('cones');

  await bench.pause();
  expect(await bench.simTimeSecs()).toBeGreaterThan(0);

  await bench.button('Reset').click();
  await bench.untilDistance('vehicle', start, 'nearer', 0.01);
  await bench.page.waitForFunction(
    () => document.querySelector('[aria-label="Sim time"]')?.textContent.trim() === '0.000 s',
  );
  await bench.close();
});

it('steps once while paused, by button and by key', async () => {
  const bench = await journey.open();
  const iterations = bench.page.getByLabel('Iterations', { exact: true });
  const before = Number((await iterations.textContent())?.replace(/\D/g, ''));
  await bench.button('Step').click();
  await bench.page.keyboard.press('.');
  await bench.page.waitForFunction(
    (goal) => Number(document.querySelector('[aria-label="Iterations"]')?.textContent.replace(/\D/g, '')) === goal,
    before + 2,
  );
  await bench.close();
});

it('two pages see the same clock', async () => {
  const one = await journey.open();
  const other = await journey.open('light');
  await one.page.keyboard.press('Space');
  await other.button('Pause').waitFor();
  await other.pause();
  await one.button('Play').waitFor();
  await one.page.getByRole('combobox', { name: 'Speed' }).selectOption('0.5');
  await other.page.waitForFunction(
    () => document.querySelector<HTMLSelectElement>('select[aria-label="Speed"]')?.value === '0.5',
  );
  await one.close();
  await other.close();
});
