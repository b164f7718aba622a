/** What most journeys begin with: a browser and a server with a world. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

import { launch, Workbench } from './browser';
import { Server } from './server';

export interface Journey {
  browser: Browser;
  server: Server;
  /** Opens a page on the server. */
  open(theme?: 'dark' | 'light'): Promise<Workbench>;
}

/** Starts both before the first test of a file and ends both after the last; set by then. */
export function journeyOn(world: string): Journey {
  const journey = {} as Journey;
  journey.open = (theme) => Workbench.open(journey.browser, journey.server.url, theme);
  beforeAll(async () => {
    [journey.browser, journey.server] = await Promise.all([launch(), Server.start(world)]);
  });
  afterAll(async () => {
    await journey.browser.close();
    await journey.server.kill();
  });
  return journey;
}
