/**
 * What the page costs: with many moving bodies, against three.js alone with the same bodies in the
 * same run, and until a world is first seen. It prints; nothing is asserted but that it was measured.
 */
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { launch, Workbench } from '../harness/browser';
import { Server } from '../harness/server';
import type { BareOptions } from './bare';
import { crowd, EDGE, SPACING } from './crowd';
import { countBytes, countFrames, measure, type Cost } from './measure';

declare global {
  interface Window {
    readonly bench?: { startBare(options: BareOptions): void };
  }
}

let browser: Browser;
const lines: string[] = [];

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser.close();
  console.log(`\n${lines.join('\n')}\n`);
});

async function bareScript(): Promise<string> {
  const entry = path.join(import.meta.dirname, 'bare.ts');
  const built = await build({ configFile: false, logLevel: 'silent', build: { write: false, lib: { entry, formats: ['iife'], name: 'bench' } } });
  const [output] = [built].flat() as Rolldown.RolldownOutput[];
  const chunk = output?.output[0];
  if (chunk === undefined) {
    throw new Error('the bare scene was not built');
  }
  // At the top of a script the name would be the window's; evaluated it is not.
  return `${chunk.code}; window.bench = bench;`;
}

/** Measures the bare scene in a window in which it has as many pixels as the page's view. */
async function costOfBare(count: number, { width, height }: { readonly width: number; readonly height: number }): Promise<Cost> {
  const context = await browser.newContext({ viewport: { width, height } });
  const page: Page = await context.newPage();
  await countFrames(page);
  await page.goto('about:blank');
  await page.evaluate(await bareScript());
  await page.evaluate((options) => window.bench?.startBare(options), { count, spacing: SPACING, edge: EDGE, width, height });
  const cost = await measure(page);
  await context.close();
  return cost;
}

const ms = (value: number): string => `${value.toFixed(1)} ms`;
const ratio = (one: number, other: number): string => `${(one / other).toFixed(2)}×`;

for (const count of [1000, 5000]) {
  it(`${count} moving bodies`, async () => {
    const server = await Server.open(crowd(count));
    let received = (): number => 0;
    const bench = await Workbench.open(browser, server.url, 'dark', async (page) => {
      await countFrames(page);
      received = countBytes(page);
    });
    await bench.button('Play').click();
    const page = await measure(bench.page, received);
    const view = await bench.page.locator('.scene canvas').boundingBox();
    await bench.close();
    await server.kill();
    const bare = await costOfBare(count, { width: Math.round(view?.width ?? 700), height: Math.round(view?.height ?? 700) });
    lines.push(
      `${count} moving bodies`,
      `  frame          page ${ms(page.msPerFrame)}, three.js alone ${ms(bare.msPerFrame)}: ${ratio(page.msPerFrame, bare.msPerFrame)}`,
      `  main thread    page ${ms(page.mainThreadMsPerFrame)} per frame, three.js alone ${ms(bare.mainThreadMsPerFrame)}: ${ratio(page.mainThreadMsPerFrame, bare.mainThreadMsPerFrame)}`,
      `  from the host  ${(page.bytesPerSec / 1024).toFixed(0)} KiB/s: ${page.posesPerSec.toFixed(0)} times a second ${(page.bytesPerSec / page.posesPerSec / count).toFixed(1)} bytes for each body`,
    );
    expect(page.framesPerSec).toBeGreaterThan(0);
    expect(bare.framesPerSec).toBeGreaterThan(0);
  });
}

it('first view of the demo', async () => {
  const server = await Server.start('cones');
  const times: number[] = [];
  for (let visit = 0; visit < 5; visit += 1) {
    const bench = await Workbench.open(browser, server.url, 'dark', countFrames);
    await bench.page.waitForFunction(() => (window.drawnFrames ?? 0) > 0 && window.__retake?.connected === true);
    times.push(await bench.page.evaluate(() => performance.now()));
    await bench.close();
  }
  await server.kill();
  const [least, middle] = [Math.min(...times), times.sort((a, b) => a - b)[2] ?? 0];
  lines.push('First view of worlds/cones.sdf after the load began', `  middle of 5    ${middle.toFixed(0)} ms, least ${least.toFixed(0)} ms`);
  expect(times.length).toBe(5);
});
