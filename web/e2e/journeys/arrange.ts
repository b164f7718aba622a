/** A person snaps, aligns, places and copies things. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';
import { dragBy, middleOf, screenOf, serverPose } from '../harness/view';

const journey = journeyOn('cones');

it('a new thing follows the pointer, and a click puts it down on what is there', async () => {
  const bench = await journey.open();
  const [x, y] = await middleOf(bench);
  await bench.takeInHand('Box');
  await bench.status('Tool').getByText('Click where the box goes').waitFor();
  await bench.page.mouse.move(x - 60, y + 120);
  await bench.page.mouse.move(x - 50, y + 110);
  await bench.picture('place');
  await bench.page.mouse.click(x - 50, y + 110);
  await bench.inspector.getByRole('heading', { name: 'box', exact: true }).waitFor();
  const first = await serverPose(journey.server, 'box');
  expect(first.position[2]).toBeCloseTo(0.2, 3);

  // The next one goes on top of it.
  await bench.takeInHand('Cylinder');
  await bench.page.mouse.click(...(await screenOf(bench, [first.position[0], first.position[1], 0.4])));
  await bench.inspector.getByRole('heading', { name: 'cylinder', exact: true }).waitFor();
  expect((await serverPose(journey.server, 'cylinder')).position[2]).toBeGreaterThan(0.55);

  await bench.takeInHand('Sphere');
  await bench.page.keyboard.press('Escape');
  await bench.status('Tool').waitFor({ state: 'detached' });
  await bench.page.keyboard.press('Control+z');
  await bench.page.keyboard.press('Control+z');
  await bench.row('box').waitFor({ state: 'detached' });
  expect(await bench.row('sphere').count()).toBe(0);
  await bench.close();
});

it('Snap lays a place of one thing against a place of another, and shows it before', async () => {
  const bench = await journey.open();
  await bench.takeInHand('Box');
  const [x, y] = await middleOf(bench);
  await bench.page.mouse.click(x, y + 60);
  await bench.inspector.getByRole('heading', { name: 'box', exact: true }).waitFor();
  const box = await serverPose(journey.server, 'box');
  await bench.takeInHand('Cylinder');
  await bench.page.mouse.click(x + 160, y + 120);
  await bench.inspector.getByRole('heading', { name: 'cylinder', exact: true }).waitFor();
  const cylinder = await serverPose(journey.server, 'cylinder');

  await bench.button('Snap').click();
  await bench.status('Tool').getByText('Click a place on what is to move').waitFor();
  const top = (at: readonly number[], height: number): readonly [number, number, number] => [at[0] ?? 0, at[1] ?? 0, (at[2] ?? 0) + height];
  await bench.page.mouse.click(...(await screenOf(bench, top(cylinder.position, 0.2))));
  await bench.status('Tool').getByText('Click the place that it goes to').waitFor();
  const goal = await screenOf(bench, top(box.position, 0.2));
  await bench.page.mouse.move(...goal);
  await bench.picture('snap');
  await bench.page.mouse.click(...goal);
  // Its top lies on the top of the box: it stands on its head there.
  await expect.poll(async () => (await serverPose(journey.server, 'cylinder')).position[2]).toBeCloseTo(0.6, 2);
  expect(Math.abs((await serverPose(journey.server, 'cylinder')).rpy[0])).toBeCloseTo(Math.PI, 3);
  await bench.untilUndo('Snap cylinder to box');
  await bench.page.keyboard.press('Control+z');
  await expect.poll(async () => (await serverPose(journey.server, 'cylinder')).position[2]).toBeCloseTo(0.2, 3);
  await bench.close();
});

it('Align shows what it would do, does it for all, and is undone at once', async () => {
  const bench = await journey.open('light');
  await bench.button('Align').click();
  await bench.page.getByText('Select two things or more').waitFor();
  await bench.row('cone_1').click();
  await bench.row('cone_3').click({ modifiers: ['Shift'] });
  expect(await bench.page.getByRole('treeitem', { selected: true }).count()).toBe(3);
  const before = await Promise.all(['cone_1', 'cone_2', 'cone_3'].map((name) => serverPose(journey.server, name)));
  const button = bench.page.getByRole('button', { name: 'Align y centre', exact: true });
  await button.hover();
  await bench.picture('align');
  await button.click();
  const y = before[0]?.position[1] ?? 0;
  await expect.poll(async () => (await serverPose(journey.server, 'cone_3')).position[1]).toBeCloseTo(y, 3);
  const after = await serverPose(journey.server, 'cone_2');
  expect(after.position[1]).toBeCloseTo(y, 3);
  expect(after.position[0]).toBeCloseTo(before[1]?.position[0] ?? 0, 6);
  await bench.untilUndo('Align cone_2, cone_3 to cone_1 (y centre)');
  await bench.page.keyboard.press('Control+z');
  await expect.poll(async () => (await serverPose(journey.server, 'cone_3')).position[1]).toBeCloseTo(before[2]?.position[1] ?? 0, 6);
  await bench.close();
});

it('a box selects several things, which are copied, pasted and duplicated together', async () => {
  const bench = await journey.open();
  await bench.page.keyboard.press('Home');
  const box = await bench.page.locator('.scene canvas').boundingBox();
  const corner: readonly [number, number] = [(box?.x ?? 0) + 4, (box?.y ?? 0) + 60];
  await bench.page.keyboard.down('Shift');
  await dragBy(bench, corner, [(box?.width ?? 0) - 8, (box?.height ?? 0) - 80], false);
  await bench.picture('select-box');
  await bench.page.mouse.up();
  await bench.page.keyboard.up('Shift');
  const rows = bench.page.getByRole('treeitem', { selected: true });
  await expect.poll(() => rows.count()).toBeGreaterThan(5);

  await bench.row('cone_1').click();
  await bench.row('cone_2').click({ modifiers: ['Control'] });
  await bench.page.keyboard.press('Control+c');
  await bench.told('Copied 2 entities');
  const [x, y] = await middleOf(bench);
  await bench.page.mouse.move(x, y + 150);
  await bench.page.keyboard.press('Control+v');
  await bench.page.getByRole('treeitem', { name: 'cone_2_1', exact: true, selected: true }).waitFor();
  expect(await rows.count()).toBe(2);
  await bench.untilUndo('Paste 2 entities');
  await bench.page.keyboard.press('Control+d');
  await expect.poll(() => bench.row('cone_2_1_1').count()).toBe(1);
  await bench.picture('paste');
  await bench.page.keyboard.press('Control+z');
  await bench.page.keyboard.press('Control+z');
  await bench.row('cone_1_1').waitFor({ state: 'detached' });
  expect(await bench.row('cone_1').count()).toBe(1);

  await bench.row('cone_1').click();
  await bench.row('cone_2').click({ modifiers: ['Control'] });
  await bench.page.keyboard.press('Delete');
  await bench.row('cone_2').waitFor({ state: 'detached' });
  expect(await bench.row('cone_1').count()).toBe(0);
  await bench.page.keyboard.press('Control+z');
  await bench.row('cone_1').waitFor();
  await bench.close();
});
