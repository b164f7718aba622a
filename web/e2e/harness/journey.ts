/**
 * What all journeys begin with: a browser, and servers that nobody has used. Each try of each
 * journey has its own servers, pages and folders, so that none finds what another has left.
 */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import { launch, Workbench } from './browser';
import { keepEvidence } from './evidence';
import { removeFolders } from './folders';
import { Server } from './server';

export interface Traveller {
  browser: Browser;
  /** Opens a page on a server. */
  visit(server: Server, theme?: 'dark' | 'light'): Promise<Workbench>;
}

export interface Journey extends Traveller {
  /** The server of this try. */
  server: Server;
  /** Opens a page on that server. */
  open(theme?: 'dark' | 'light'): Promise<Workbench>;
}

/** Travels without a server of its own: each journey starts what it needs. */
export function traveller(): Traveller {
  const travel = {} as Traveller;
  travel.visit = (server, theme) => Workbench.open(travel.browser, server.url, theme);
  beforeAll(async () => {
    travel.browser = await launch();
  });
  beforeEach(async () => {
    if (!travel.browser.isConnected()) {
      travel.browser = await launch();
    }
  });
  // Runs after every try, also after one that is tried again.
  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail';
    const faults = Workbench.opened(travel.browser).flatMap((bench) => bench.faults);
    if (failed || faults.length > 0) {
      await keepEvidence(task, travel.browser);
    }
    // Pages that nobody looks at any more would go on drawing.
    await Promise.all(travel.browser.contexts().map((context) => context.close()));
    await Server.killAll();
    removeFolders();
    expect(failed ? [] : faults).toEqual([]);
  });
  afterAll(async () => {
    await travel.browser.close();
  });
  return travel;
}

/** Starts a server before each try: `retake run` on a world of the repository, or what is given. */
export function journeyOn(world: string | (() => Promise<Server>)): Journey {
  const journey = traveller() as Journey;
  journey.open = (theme) => journey.visit(journey.server, theme);
  beforeEach(async () => {
    journey.server = await (typeof world === 'string' ? Server.start(world) : world());
  });
  return journey;
}
