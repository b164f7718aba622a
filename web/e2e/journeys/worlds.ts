/** The demo worlds are seen, and their pictures are the guide's. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { launch, Workbench } from '../harness/browser';
import { Server } from '../harness/server';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});

it.each(['arm', 'quadruped', 'stacks', 'domino', 'pendulums', 'mixed_profiles', 'scripts'])('%s runs and is seen', async (world) => {
  const server = await Server.start(world);
  try {
    const bench = await Workbench.open(browser, server.url);
    await bench.button('Play').click();
    await expect.poll(() => bench.simTimeSecs(), { timeout: 120_000 }).toBeGreaterThan(1);
    await bench.picture(world);
    await bench.close();
  } finally {
    await server.kill();
  }
});
