/** A person types a pose that cannot be. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';

const journey = journeyOn('cones');

const BOXES = ['Position x', 'Position y', 'Position z', 'Rotation roll', 'Rotation pitch', 'Rotation yaw'] as const;

it('only the number that was refused is marked, by the page and by the server', async () => {
  const bench = await journey.open();
  await bench.select('cone_1');
  const marked = async (): Promise<readonly string[]> => {
    const invalid = await Promise.all(BOXES.map((name) => bench.field(name).getAttribute('aria-invalid')));
    return BOXES.filter((_, index) => invalid[index] === 'true');
  };
  expect(await marked()).toEqual([]);
  // The server knows how far away things may be.
  await bench.set('Position y', '1e12');
  await bench.inspector.getByRole('alert').waitFor();
  expect(await marked()).toEqual(['Position y']);
  // The page knows what a number is.
  await bench.set('Rotation yaw', 'east');
  await bench.inspector.getByRole('alert').filter({ hasText: 'is no number' }).waitFor();
  expect(await marked()).toEqual(['Rotation yaw']);
  await bench.set('Position x', '1.25');
  await bench.inspector.getByRole('alert').waitFor({ state: 'detached' });
  expect(await marked()).toEqual([]);
  await bench.untilUndo(/cone_1/u);
  await bench.close();
});
