/** A person looks around: tree, search, inspector, 3D view, themes, help. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';

const journey = journeyOn('cones');

it('tree and inspector tell where the vehicle is, also while it drives', async () => {
  const bench = await journey.open();
  await bench.inspector.getByText('Nothing selected').waitFor();
  await bench.row('vehicle').click();
  await bench.inspector.getByRole('heading', { name: 'vehicle' }).waitFor();
  const x = bench.field('Position x');
  const [startX] = await bench.position('vehicle');
  expect(Number(await x.inputValue())).toBeCloseTo(startX, 2);

  await bench.button('Play').click();
  const before = await x.inputValue();
  await expect.poll(() => x.inputValue(), { timeout: 60_000 }).not.toBe(before);
  await bench.button('Pause').click();
  await bench.button('Reset').click();
  await bench.close();
});

it('the tree opens by keys, shows parts, and finds by name', async () => {
  const bench = await journey.open();
  await bench.row('vehicle').click();
  await bench.page.keyboard.press('ArrowRight');
  await bench.page.waitForFunction(
    () => document.querySelector('[role=treeitem][aria-selected=true]')?.getAttribute('aria-expanded') === 'true',
  );
  await bench.page.keyboard.press('ArrowRight');
  await bench.inspector.getByText('Inertia', { exact: true }).waitFor();

  const search = bench.page.getByRole('searchbox', { name: 'Search entities' });
  await search.fill('no such thing');
  await bench.page.getByText('No entity matches').waitFor();
  await search.fill('wheel');
  await bench.page.getByRole('treeitem', { name: /wheel/ }).first().waitFor();
  await search.press('Escape');
  await bench.row('vehicle').waitFor();
  await bench.close();
});

it('a click in the 3D view selects, the tree follows, and Esc lets go', async () => {
  const bench = await journey.open();
  await bench.row('vehicle').click();
  await bench.page.keyboard.press('Enter');
  const view = bench.page.getByRole('region', { name: '3D view' });
  const box = await view.boundingBox();
  if (box === null) {
    throw new Error('the 3D view is not on screen');
  }
  await bench.page.keyboard.press('Escape');
  await bench.inspector.getByText('Nothing selected').waitFor();
  await bench.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await bench.inspector.getByRole('heading', { name: 'vehicle' }).waitFor();
  expect(await bench.row('vehicle').getAttribute('aria-selected')).toBe('true');
  await bench.picture('selection');
  await bench.close();
});

it('both themes fit into 1280 × 800 with nothing cut off', async () => {
  const bench = await journey.open();
  await bench.button('Light theme').click();
  await bench.row('vehicle').click();
  await bench.picture('light-theme');
  const overflow = await bench.page.evaluate(() => ({
    wide: document.documentElement.scrollWidth > innerWidth,
    high: document.documentElement.scrollHeight > innerHeight,
    status: [...document.querySelectorAll('.status-bar')].some((bar) => bar.scrollWidth > bar.clientWidth),
  }));
  expect(overflow).toEqual({ wide: false, high: false, status: false });
  const grid = bench.button('Grid');
  const before = await grid.getAttribute('aria-pressed');
  await grid.click();
  expect(await grid.getAttribute('aria-pressed')).not.toBe(before);
  await bench.button('Dark theme').click();
  await bench.page.keyboard.press('?');
  await bench.page.getByRole('dialog', { name: 'Keys and mouse' }).waitFor();
  await bench.page.keyboard.press('Escape');
  await bench.page.getByRole('dialog').waitFor({ state: 'detached' });
  await bench.close();
});

it('Delete takes a model out of the world, for all', async () => {
  const bench = await journey.open();
  const tree = bench.page.getByRole('tree', { name: 'Entities' });
  const cone = tree.getByRole('treeitem', { name: /cone/ }).last();
  const name = (await cone.getAttribute('aria-label')) ?? '';
  await cone.click();
  await bench.page.keyboard.press('Delete');
  await tree.getByRole('treeitem', { name, exact: true }).waitFor({ state: 'detached' });
  await bench.inspector.getByText('Nothing selected').waitFor();
  await bench.button('Reset').click();
  await tree.getByRole('treeitem', { name, exact: true }).waitFor();
  await bench.close();
});
