/** A person looks around: tree, search, inspector, 3D view, themes, help. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';
import { middleOf } from '../harness/view';

const journey = journeyOn('cones');

it('tree and inspector tell where the vehicle is, also while it drives', async () => {
  const bench = await journey.open();
  await bench.inspector.getByText('Nothing selected').waitFor();
  await bench.row('vehicle').click();
  await bench.inspector.getByRole('heading', { name: 'vehicle' }).waitFor();
  const x = bench.field('Position x');
  const [startX] = await bench.position('vehicle');
  await expect.poll(async () => Number(await x.inputValue())).toBeCloseTo(startX, 2);

  await bench.play();
  const before = await x.inputValue();
  await expect.poll(() => x.inputValue(), { timeout: 60_000 }).not.toBe(before);
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
  await expect.poll(() => bench.row('vehicle').getAttribute('aria-selected')).toBe('true');
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
  await expect.poll(() => grid.getAttribute('aria-pressed')).not.toBe(before);
  await bench.button('Dark theme').click();
  await bench.page.keyboard.press('?');
  await bench.page.getByRole('dialog', { name: 'Keys and mouse' }).waitFor();
  await bench.page.keyboard.press('Escape');
  await bench.page.getByRole('dialog').waitFor({ state: 'detached' });
  await bench.close();
});

it('hides what is in the way, by the eye and by the key, and shows it again', async () => {
  const bench = await journey.open();
  await bench.row('vehicle').click();
  await bench.page.keyboard.press('f');
  const middle = await middleOf(bench);
  await bench.row('vehicle').hover();
  await bench.button('Hide vehicle').click();
  await bench.button('Show 1 hidden').waitFor();
  // What is not seen is not hit: the click goes through to the ground.
  await bench.page.keyboard.press('Escape');
  await bench.inspector.getByText('Nothing selected').waitFor();
  await bench.page.mouse.click(...middle);
  await bench.inspector.getByRole('heading', { name: /^(ground|markings)$/u, level: 3 }).waitFor();
  // Nobody else misses it.
  const other = await journey.open('light');
  expect(await other.button('Show 1 hidden').count()).toBe(0);
  await other.close();
  await bench.row('cone_1').click();
  await bench.page.keyboard.press('h');
  await bench.button('Show 2 hidden').waitFor();
  await bench.picture('hidden');
  await bench.page.keyboard.press('h');
  await bench.button('Show 1 hidden').click();
  // What is seen again is hit again.
  await bench.page.getByRole('button', { name: /^Show \d+ hidden$/u }).waitFor({ state: 'detached' });
  await bench.page.mouse.click(...middle);
  await bench.inspector.getByRole('heading', { name: 'vehicle' }).waitFor();
  await bench.close();
});

it('what is hidden is not hit although no frame was drawn since', async () => {
  const bench = await journey.open();
  await bench.row('vehicle').click();
  await bench.page.keyboard.press('f');
  const middle = await middleOf(bench);
  // A busy machine draws late; here it does not draw at all.
  await bench.page.evaluate(() => {
    window.requestAnimationFrame = () => 1;
  });
  await bench.page.keyboard.press('h');
  await bench.button('Show 1 hidden').waitFor();
  await bench.page.keyboard.press('Escape');
  await bench.inspector.getByText('Nothing selected').waitFor();
  await bench.page.mouse.click(...middle);
  await bench.inspector.getByRole('heading', { name: /^(ground|markings)$/u, level: 3 }).waitFor();
  await bench.button('Show 1 hidden').click();
  await bench.page.mouse.click(...middle);
  await bench.inspector.getByRole('heading', { name: 'vehicle' }).waitFor();
  await bench.close();
});

it('finds things and deeds by typing', async () => {
  const bench = await journey.open();
  const { keyboard } = bench.page;
  const find = bench.page.getByRole('dialog', { name: 'Find and do' });
  await keyboard.press('Control+k');
  await find.waitFor();
  await keyboard.type('cone_3');
  await expect.poll(() => find.getByRole('option').first().textContent()).toContain('cone_3');
  await bench.picture('find');
  await keyboard.press('Enter');
  await bench.inspector.getByRole('heading', { name: 'cone_3', exact: true }).waitFor();
  await keyboard.press('Control+k');
  await find.waitFor();
  await keyboard.type('insert sphere');
  await expect.poll(() => find.getByRole('option').first().textContent()).toContain('phere');
  await keyboard.press('Enter');
  await bench.status('Tool').getByText('Click where the sphere goes').waitFor();
  await keyboard.press('Escape');
  // What cannot be done is found, says why not, and does nothing.
  await keyboard.press('Control+k');
  await find.waitFor();
  await keyboard.type('redo');
  await expect.poll(() => find.getByRole('option').first().getAttribute('aria-disabled')).toBe('true');
  await keyboard.press('Enter');
  await find.waitFor();
  await keyboard.type(' nothing like it');
  await find.getByText('Try another word').waitFor();
  await keyboard.press('Escape');
  await find.waitFor({ state: 'detached' });
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
