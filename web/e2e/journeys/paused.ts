/** Two people edit a paused world in two GUIs of their own; the server takes it over when it goes on. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { launch, Workbench } from '../harness/browser';
import { Server } from '../harness/server';

let browser: Browser;
let server: Server;
let guis: readonly Server[];

beforeAll(async () => {
  [browser, server] = await Promise.all([launch(), Server.serve('arm')]);
  guis = await Promise.all([server.gui(), server.gui()]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([...guis, server].map((process) => process.kill()));
});

/** A page in each GUI. */
async function bothPages(): Promise<readonly [Workbench, Workbench]> {
  const [first, second] = await Promise.all(guis.map((gui) => Workbench.open(browser, gui.url)));
  if (first === undefined || second === undefined) {
    throw new Error('two pages were opened');
  }
  return [first, second];
}

it('what one does is seen by the other before the world goes on, and is everybody’s then', async () => {
  const [anna, bob] = await bothPages();
  await anna.insert('Box');
  await anna.inspector.getByRole('heading', { name: 'box', exact: true }).waitFor();
  const place = await anna.position('box');
  // The other has a ghost of it, which is no entity yet.
  const ghost = bob.row('box');
  await ghost.waitFor();
  expect(await ghost.getAttribute('aria-disabled')).toBe('true');
  expect(await ghost.getAttribute('title')).toMatch(/^box \(model\)\npage \d+\.\d+: Insert box, when the world goes on$/u);

  await bob.row('mug').click();
  await bob.page.keyboard.press('Delete');
  await bob.row('mug').waitFor({ state: 'detached' });
  await expect.poll(() => anna.row('mug').getAttribute('class')).toContain('removed');

  for (const bench of [anna, bob]) {
    await bench.button('History').click();
  }
  await expect.poll(() => anna.timeline()).toEqual(['Delete mug', 'Now', 'Insert box']);
  await expect.poll(() => bob.timeline()).toEqual(['Insert box', 'Now', 'Delete mug']);
  expect(await anna.status('Waiting edits').textContent()).toContain('1 edit waits for Play');
  await anna.picture('pending');

  await bob.button('Step').click();
  for (const bench of [anna, bob]) {
    await bench.row('mug').waitFor({ state: 'detached' });
    await bench.untilDistance('box', place, 'nearer', 0.01);
    await expect.poll(() => bench.timeline()).toHaveLength(3);
    expect((await bench.timeline())[0]).toBe('Now');
    await expect.poll(() => bench.page.locator('.tree-panel .marks').count()).toBe(0);
  }
  expect(JSON.parse(await server.command('entity', 'list', '--format', 'json'))).toBeDefined();
  await anna.close();
  await bob.close();
});
