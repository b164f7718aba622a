/** A person puts models of the library into the world. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';

import { audit } from '../harness/audit';
import type { Workbench } from '../harness/browser';
import { FakeHost } from '../harness/fakeHost';
import { ownFolder } from '../harness/folders';
import { traveller } from '../harness/journey';
import { Server } from '../harness/server';
import { middleOf } from '../harness/view';

const journey = traveller();

async function openLibrary(bench: Workbench): Promise<Locator> {
  await bench.takeInHand('Model from library…');
  return bench.page.getByRole('dialog', { name: 'Insert a model from the library' });
}

it('a model is found by typing, placed by Enter, stands, and goes by Undo', async () => {
  const server = await Server.start('cones');
  const bench = await journey.visit(server);
  await bench.page.keyboard.press('i');
  const dialog = bench.page.getByRole('dialog');
  const search = dialog.getByRole('combobox', { name: 'Search models' });
  await dialog.getByRole('option', { name: /^Table/u }).waitFor();
  await search.fill('able');
  expect(await dialog.getByRole('status').textContent()).toMatch(/^\d+ of \d+ models$/u);
  await search.fill('');
  await search.press('End');
  await search.press('Home');
  await search.fill('ta');
  await dialog.getByRole('option', { name: /^Table/u, selected: true }).waitFor();
  await bench.picture('library');
  await search.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await bench.page.getByText('Click where the Table goes').waitFor();
  await bench.page.keyboard.press('Enter');
  await bench.inspector.getByRole('heading', { name: 'table', exact: true }).waitFor();
  const [, , height] = await bench.position('table');
  expect(Math.abs(height)).toBeLessThan(0.01);
  await server.command('world', 'step', '300');
  await bench.untilSimTime(0.3);
  expect(Math.abs((await bench.position('table'))[2])).toBeLessThan(0.01);
  await bench.page.keyboard.press('Control+z');
  await bench.row('table').waitFor({ state: 'detached' });
  await bench.close();
});

it('in two processes too, with the mouse, and what is damaged says why', async () => {
  const folder = ownFolder('models');
  mkdirSync(path.join(folder, 'damaged'));
  writeFileSync(path.join(folder, 'damaged/model.config'), '<model><name>Damaged');
  const server = await Server.serveFile('worlds/cones.sdf', ['--paused', '--resource-path', folder]);
  const bench = await journey.visit(await server.gui(), 'light');
  const dialog = await openLibrary(bench);
  const damaged = dialog.getByRole('option', { name: /^damaged/u });
  const search = dialog.getByRole('combobox', { name: 'Search models' });
  await dialog.getByRole('option', { name: /^Pallet/u }).waitFor();
  await search.press('End');
  await damaged.waitFor();
  expect(await damaged.getAttribute('aria-disabled')).toBe('true');
  expect(await damaged.textContent()).toMatch(/model\.config:1:\d+: error/u);
  expect(await dialog.getByRole('button', { name: 'Insert', exact: true }).isDisabled()).toBe(true);
  await search.press('Enter');
  expect(await dialog.isVisible()).toBe(true);
  expect(await audit(bench.page)).toEqual([]);
  await search.fill('pallet');
  await dialog.getByRole('option', { name: /^Pallet/u }).dblclick();
  await bench.page.getByText('Click where the Pallet goes').waitFor();
  await bench.page.mouse.move(...(await middleOf(bench)));
  await bench.page.mouse.down();
  await bench.page.mouse.up();
  await bench.inspector.getByRole('heading', { name: 'pallet', exact: true }).waitFor();
  await bench.play();
  const listed = async (): Promise<string> => server.command('entity', 'list');
  await expect.poll(listed, { timeout: 20_000 }).toContain('pallet');
  await bench.pause();
  await bench.close();
});

it('an empty library says how to add models, and a failed one can be asked again', async () => {
  const server = await Server.start('cones');
  const [bench, host] = await FakeHost.open(journey.browser, server.url, []);
  host.refusal = (request) => (request.case === 'library' ? 'The server is not there. Try again when it is back' : undefined);
  const dialog = await openLibrary(bench);
  await dialog.getByText('The models could not be listed').waitFor();
  await dialog.getByText('The server is not there').waitFor();
  host.refusal = () => undefined;
  host.answer = () => ({ library: { model: [], incomplete: '' } });
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('No models yet').waitFor();
  await dialog.getByText(/start Retake with --resource-path/u).waitFor();
  await dialog.getByRole('combobox').press('Escape');
  await dialog.waitFor({ state: 'detached' });

  const many = Array.from({ length: 5000 }, (_, n) => ({ uri: `model://m${n}`, name: `Model ${n}`, source: 'shop' }));
  host.answer = () => ({ library: { model: many, incomplete: 'There are more than 5000 models; the rest is not listed' } });
  const full = await openLibrary(bench);
  await full.getByText('the rest is not listed').waitFor();
  await full.getByRole('combobox').press('End');
  await full.getByRole('option', { name: 'Model 4999', selected: true }).waitFor();
  // Only what is in sight is drawn.
  expect(await full.getByRole('option').count()).toBeLessThan(60);
  await full.getByRole('button', { name: 'Cancel' }).click();
  await full.waitFor({ state: 'detached' });
  await bench.close();
});
