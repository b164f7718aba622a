/** Every geometry and mesh format is drawn, with its looks. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';

const journey = journeyOn('shapes');

it('shapes, meshes, terrain and textures are drawn and can be picked', async () => {
  const answers: [string, number][] = [];
  const bench = await journey.open();
  bench.page.on('response', (response) => {
    answers.push([new URL(response.url()).pathname, response.status()]);
  });
  // What the first visit still had under way does not count.
  bench.page.on('framenavigated', () => {
    answers.length = 0;
  });
  await bench.page.reload();
  await bench.connected();
  // The knot's image comes last: it is asked for when its mesh is here.
  const images = () => answers.filter(([path]) => path.includes('/texture/') || path.includes('/albedo/'));
  await expect.poll(images, { timeout: 60_000 }).toHaveLength(3);
  await expect.poll(() => bench.status('Meshes').count(), { timeout: 60_000 }).toBe(0);
  expect(answers.filter(([path]) => /^\/mesh\/\d+$/u.test(path))).toHaveLength(6);
  expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
  expect(await bench.page.getByText('Drawn as a box of wire').count()).toBe(0);
  await bench.picture('shapes');

  await bench.row('lamp').click();
  await bench.page.keyboard.press('Enter');
  // Its parts have looks of their own, and are one thing to click on.
  const view = bench.page.getByRole('region', { name: '3D view' });
  await bench.page.keyboard.press('Escape');
  await bench.inspector.getByText('Nothing selected').waitFor();
  await view.click();
  await bench.inspector.getByRole('heading', { name: 'lamp' }).waitFor();
  await bench.picture('mesh-parts');
  await bench.close();
});
