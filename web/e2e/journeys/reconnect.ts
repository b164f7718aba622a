/** The server goes away and comes back; the page says so and recovers by itself. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';
import { Server } from '../harness/server';

const journey = journeyOn('cones');

it('shows a banner while the server is gone and the world anew when it is back', async () => {
  const bench = await journey.open();
  const start = await bench.position('vehicle');
  const rows = await bench.page.getByRole('treeitem').count();
  await bench.button('Play').click();
  await bench.untilDistance('vehicle', start, 'farther', 0.2);
  await journey.server.command('entity', 'move', 'cone_1', '--to', '0', '3', '0');
  await expect.poll(() => bench.button('Undo').isDisabled()).toBe(false);

  await journey.server.kill();
  await bench.page.getByRole('alert').getByText('Connection lost').waitFor();
  expect(await bench.status('Connection').textContent()).toBe('Disconnected');
  expect(await bench.button('Reset').isDisabled()).toBe(true);
  expect(await bench.button('Undo').isDisabled()).toBe(true);
  await bench.picture('disconnected');

  journey.server = await Server.start('cones', { port: journey.server.port });
  await bench.connected();
  await bench.page.getByRole('alert').waitFor({ state: 'detached' });
  await bench.untilDistance('vehicle', start, 'nearer', 0.01);
  expect(await bench.page.getByRole('treeitem').count()).toBe(rows);
  expect(await bench.status('Connection').textContent()).toBe('Connected');
  // The new server has done nothing yet, whatever the page knew of the old one.
  expect(await bench.button('Undo').getAttribute('title')).toBe('Nothing to undo (Ctrl+Z)');

  await bench.button('Play').click();
  await bench.untilDistance('vehicle', start, 'farther', 0.2);
  expect(await bench.page.locator('canvas').count()).toBe(1);
  await bench.close();
});
