/** A host that others can reach: it wants a token, and each role may do what it says. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { newPage, Workbench } from '../harness/browser';
import { ownFolder } from '../harness/folders';
import { journeyOn } from '../harness/journey';
import { Server } from '../harness/server';

const TOKENS = { viewer: 'v'.repeat(32), editor: 'e'.repeat(32) };
const VIEWER = 'You are here as a viewer, who cannot edit';

const journey = journeyOn(() => {
  const file = path.join(ownFolder('door'), 'tokens');
  writeFileSync(file, `viewer ${TOKENS.viewer}\neditor ${TOKENS.editor}\n`, { mode: 0o600 });
  return Server.guarded('cones', file);
});

async function stranger(): Promise<Page> {
  const page = await newPage(journey.browser);
  await page.goto(journey.server.url);
  return page;
}

const enter = (role: keyof typeof TOKENS): Promise<Workbench> => Workbench.open(journey.browser, `${journey.server.url}#token=${TOKENS[role]}`);

it('asks for a token, says when it is wrong, and forgets the right one', async () => {
  const page = await stranger();
  await page.getByRole('alert').getByText('A token is needed').waitFor();
  expect(await page.getByRole('tree').count()).toBe(0);
  await page.getByLabel('Token').fill('guess');
  await page.getByRole('button', { name: 'Enter' }).click();
  await expect.poll(() => page.getByLabel('Token').inputValue()).toBe('');
  await page.getByLabel('Token').fill(TOKENS.editor);
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByRole('status', { name: 'Connection' }).getByText('Connected as editor').waitFor();
  // The cookie is enough from now on, and the page keeps no token.
  await page.reload();
  await page.getByRole('status', { name: 'Connection' }).getByText('Connected as editor').waitFor();
  expect(await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]))).not.toContain(TOKENS.editor);
  // Who came by the cookie alone is asked again, too, when the visit is over.
  await page.evaluate(() => fetch('/visit', { method: 'DELETE', credentials: 'same-origin' }).then((reply) => reply.status));
  await page.getByRole('alert').getByText('A token is needed').waitFor();
  await page.context().close();
});

it('lets a viewer look and not touch', async () => {
  const bench = await enter('viewer');
  expect(bench.page.url()).toBe(journey.server.url);
  await bench.status('Connection').getByText('Connected as viewer').waitFor();
  await bench.row('cone_1').click();
  // What changes something is grey and says why; keys are answered with the same.
  for (const name of ['Play', 'Step', 'Reset', 'Insert', 'Record', 'Translate', 'Bookmark…']) {
    expect(await bench.button(name).isDisabled()).toBe(true);
    expect(await bench.button(name).getAttribute('title')).toContain(VIEWER);
  }
  await bench.page.keyboard.press('.');
  await bench.told(VIEWER);
  await bench.inspector.getByText(VIEWER).waitFor();
  expect(await bench.inspector.getByRole('textbox').count()).toBe(0);
  await bench.row('cone_1').click({ button: 'right' });
  const remove = bench.page.getByRole('menuitem', { name: 'Delete', exact: true });
  expect(await remove.getAttribute('aria-disabled')).toBe('true');
  expect(await remove.getAttribute('title')).toContain(VIEWER);
  await bench.page.keyboard.press('Escape');
  // Looking is free.
  expect(await bench.button('Select').isDisabled()).toBe(false);
  await bench.button('Topics').click();
  await bench.page.getByRole('table', { name: 'Topics' }).getByRole('button').first().waitFor();
  await bench.picture('door-viewer');
  await bench.close();
});

it('lets an editor run the world, and not write files', async () => {
  const bench = await enter('editor');
  await bench.status('Connection').getByText('Connected as editor').waitFor();
  expect(await bench.button('Record').getAttribute('title')).toBe('Record a log (L)\nYou are here as an editor. This takes the role admin');
  expect(await bench.button('Record').isDisabled()).toBe(true);
  await bench.page.getByRole('menuitem', { name: 'File', exact: true }).click();
  expect(await bench.page.getByRole('menuitem', { name: 'Save world', exact: true }).getAttribute('aria-disabled')).toBe('true');
  await bench.page.keyboard.press('Escape');
  const start = await bench.simTimeSecs();
  await bench.button('Step').click();
  await expect.poll(() => bench.simTimeSecs()).toBeGreaterThan(start);
  await bench.close();
});
