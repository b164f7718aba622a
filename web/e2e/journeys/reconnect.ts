/** The server goes away and comes back; the page says so and recovers by itself. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { launch, Workbench } from '../harness/browser';
import { Server } from '../harness/server';

let browser: Browser;
let server: Server;

beforeAll(async () => {
  [browser, server] = await Promise.all([launch(), Server.start('cones')]);
});
afterAll(async () => {
  await browser.close();
  await server.kill();
});

it('shows a banner while the server is gone and the world anew when it is back', async () => {
  const bench = await Workbench.open(browser, server.url);
  const start = await bench.position('vehicle');
  const rows = await bench.page.getByRole('treeitem').count();
  await bench.button('Play').click();
  await bench.untilDistance('vehicle', start, 'farther', 0.2);

  await server.kill();
  await bench.page.getByRole('alert').getByText('Connection lost').waitFor();
  expect(await bench.status('Connection').textContent()).toBe('Disconnected');
  expect(await bench.button('Reset').isDisabled()).toBe(true);
  await bench.picture('disconnected');

  server = await Server.start('cones', server.port);
  await bench.connected();
  await bench.page.getByRole('alert').waitFor({ state: 'detached' });
  await bench.untilDistance('vehicle', start, 'nearer', 0.01);
  expect(await bench.page.getByRole('treeitem').count()).toBe(rows);
  expect(await bench.status('Connection').textContent()).toBe('Connected');

  await bench.button('Play').click();
  await bench.untilDistance('vehicle', start, 'farther', 0.2);
  expect(await bench.page.locator('canvas').count()).toBe(1);
  await bench.close();
});
