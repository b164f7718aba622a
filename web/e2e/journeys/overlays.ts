/** A person looks at what is inside of things, and from other sides. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import type { Workbench } from '../harness/browser';
import { journeyOn } from '../harness/journey';
import { screenOf } from '../harness/view';

const journey = journeyOn('arm');

async function toggle(bench: Workbench, overlay: string): Promise<void> {
  await bench.button('Overlays').click();
  await bench.page.getByRole('menuitemcheckbox', { name: overlay, exact: true }).click();
}

/** Does something and waits until more than a thousandth of the view looks different. */
async function changesView(bench: Workbench, act: () => Promise<void>): Promise<void> {
  const shot = async (): Promise<string> => (await bench.page.locator('.scene canvas').screenshot()).toString('base64');
  const before = await shot();
  await act();
  await expect.poll(async () => bench.page.evaluate(compare, [before, await shot()] as const), { timeout: 10_000 }).toBeGreaterThan(1);
}

/** Says how many pixels of a thousand are different; runs in the page. */
async function compare([a, b]: readonly [string, string]): Promise<number> {
  const pixels = async (png: string): Promise<Uint8ClampedArray> => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    return context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray();
  };
  const [one, other] = [await pixels(a), await pixels(b)];
  let different = 0;
  for (let at = 0; at < one.length; at += 4) {
    different += Math.abs((one[at] ?? 0) - (other[at] ?? 0)) > 24 || Math.abs((one[at + 2] ?? 0) - (other[at + 2] ?? 0)) > 24 ? 1 : 0;
  }
  return (different * 4000) / one.length;
}

it('every overlay shows something, and is gone when it is switched off', async () => {
  const bench = await journey.open();
  await bench.row('arm').click();
  await bench.page.keyboard.press('f');
  for (const overlay of ['Collisions', 'Inertia', 'Centres of mass', 'Joints', 'Frames']) {
    await changesView(bench, () => toggle(bench, overlay));
    await bench.picture(`overlay-${overlay.toLowerCase().replaceAll(' ', '-')}`);
    await changesView(bench, () => toggle(bench, overlay));
  }
  await toggle(bench, 'Joints');
  const labels = bench.page.getByRole('list', { name: 'Joints' }).getByRole('listitem');
  await expect.poll(() => labels.allTextContents()).toContain('elbow · revolute');
  // What was chosen is chosen after a reload.
  await bench.page.reload();
  await bench.connected();
  await expect.poll(() => labels.allTextContents()).toContain('elbow · revolute');
  await toggle(bench, 'Joints');
  await expect.poll(() => labels.count()).toBe(0);
  await bench.close();
});

it('contacts show where things touch and what they carry, and are gone when they end', async () => {
  const bench = await journey.open();
  const note = bench.status('Contacts');
  const points = async (): Promise<number> => Number.parseInt((await note.textContent()) ?? '', 10);
  await bench.row('table').click();
  await bench.page.keyboard.press('f');
  await toggle(bench, 'Contacts');
  // Nothing was stepped yet, so nothing touches.
  await expect.poll(points).toBe(0);
  await journey.server.command('world', 'step', '300');
  await expect.poll(points).toBeGreaterThan(8);
  expect(await note.textContent()).toMatch(/contact points, up to [\d.]+ N/u);
  await changesView(bench, () => toggle(bench, 'Contacts'));
  await changesView(bench, () => toggle(bench, 'Contacts'));
  await bench.picture('overlay-contacts');
  const all = await points();
  await journey.server.command('entity', 'delete', 'block_red');
  await journey.server.command('world', 'step', '10');
  await expect.poll(points).toBeLessThan(all);
  await journey.server.command('undo');
  await expect.poll(points).toBe(all);
  await toggle(bench, 'Contacts');
  await note.waitFor({ state: 'detached' });
  await bench.close();
});

it('looks from the sides, without perspective, and saves a picture', async () => {
  const bench = await journey.open('light');
  const look = async (from: string): Promise<void> => {
    await bench.button('Look from').click();
    await bench.page.getByRole('menuitem', { name: from, exact: true }).click();
  };
  const spread = async (axis: number): Promise<number> => {
    const point: [number, number, number] = [0, 0, 0];
    point[axis] = 1;
    const [from, to] = [await screenOf(bench, [0, 0, 0]), await screenOf(bench, point)];
    return Math.hypot(to[0] - from[0], to[1] - from[1]);
  };
  // Along the sight a metre is seen as almost nothing; without perspective as nothing at all.
  for (const [side, axis] of [['Top', 2], ['Front', 0], ['Side', 1]] as const) {
    await bench.button('Look from').click();
    const ortho = bench.page.getByRole('menuitemcheckbox', { name: 'Orthographic', exact: true });
    if ((await ortho.getAttribute('aria-checked')) === 'true') {
      await bench.page.keyboard.press('Escape');
    } else {
      await ortho.click();
    }
    await look(side);
    await expect.poll(() => spread(axis)).toBeLessThan(1);
    expect(await spread((axis + 1) % 3)).toBeGreaterThan(20);
  }
  await bench.picture('orthographic');
  await look('Isometric');
  await expect.poll(() => spread(1)).toBeGreaterThan(20);

  const [download] = await Promise.all([bench.page.waitForEvent('download'), bench.button('Screenshot').click()]);
  expect(download.suggestedFilename()).toMatch(/^arm_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.png$/u);
  const bytes = readFileSync(await download.path());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.length).toBeGreaterThan(20_000);
  await bench.close();
});
