/** A person moves, turns and scales things by their handles, and takes it back. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';
import { dragBy, handleAt, middleOf, serverPose } from '../harness/view';

const journey = journeyOn('cones');

it('a drag along an axis is one command, and Ctrl+Z takes it back', async () => {
  const bench = await journey.open();
  await bench.button('History').click();
  await bench.select('cone_1');
  await bench.page.keyboard.press('f');
  await bench.page.keyboard.press('t');
  expect(await bench.button('Translate').getAttribute('aria-pressed')).toBe('true');
  const start = await bench.position('cone_1');
  await dragBy(bench, await handleAt(bench, 'x'), [70, -10]);
  await bench.untilDistance('cone_1', start, 'farther', 0.05);
  await expect.poll(() => bench.timeline()).toEqual(['Now', 'Move cone_1']);

  const { position } = await serverPose(journey.server, 'cone_1');
  expect(position[0]).not.toBeCloseTo(start[0], 2);
  expect(position[1]).toBeCloseTo(start[1], 6);
  expect(position[2]).toBeCloseTo(start[2], 6);
  await bench.untilField('Position x', new RegExp(`^${String(Number(position[0].toFixed(4))).replace('.', '\\.')}$`, 'u'));
  await bench.picture('translate');

  await bench.page.keyboard.press('Control+z');
  await bench.untilDistance('cone_1', start, 'nearer', 0.001);
  expect((await serverPose(journey.server, 'cone_1')).position[0]).toBeCloseTo(start[0], 6);
  await bench.close();
});

it('the thing follows the hand before the command goes out, and Esc puts it back', async () => {
  const bench = await journey.open();
  await bench.button('History').click();
  await bench.select('cone_1');
  await bench.page.keyboard.press('f');
  await bench.button('Translate').click();
  const x = bench.page.getByLabel('Position x', { exact: true }).first();
  const before = await x.inputValue();
  await dragBy(bench, await handleAt(bench, 'x'), [60, 0], false);
  await expect.poll(() => x.inputValue()).not.toBe(before);
  expect((await serverPose(journey.server, 'cone_1')).position[0]).toBeCloseTo(Number(before), 3);
  await bench.page.keyboard.press('Escape');
  await expect.poll(() => x.inputValue()).toBe(before);
  await bench.page.mouse.up();
  expect(await bench.timeline()).toEqual([]);
  // The drag was called off, the tool is still in hand: Esc puts that away, and then the selection.
  expect(await bench.button('Translate').getAttribute('aria-pressed')).toBe('true');
  await bench.page.keyboard.press('Escape');
  expect(await bench.button('Select').getAttribute('aria-pressed')).toBe('true');
  await bench.close();
});

it('a page that is gone in the middle of a drag has changed nothing', async () => {
  const [bench, other] = [await journey.open(), await journey.open()];
  const start = await other.position('cone_1');
  await bench.select('cone_1');
  await bench.page.keyboard.press('f');
  await bench.button('Translate').click();
  const x = bench.page.getByLabel('Position x', { exact: true }).first();
  const before = await x.inputValue();
  await dragBy(bench, await handleAt(bench, 'x'), [60, 0], false);
  await expect.poll(() => x.inputValue()).not.toBe(before);
  const hash = await journey.server.command('world', 'hash');
  await bench.close();
  await other.button('History').click();
  expect(await other.timeline()).toEqual([]);
  expect(await other.position('cone_1')).toEqual(start);
  expect(await journey.server.command('world', 'hash')).toBe(hash);
  await other.close();
});

it('steps, rings and numbers turn and place exactly', async () => {
  const bench = await journey.open('light');
  await bench.select('cone_1');
  await bench.page.keyboard.press('f');
  await bench.button('Translate').click();
  const box = bench.page.getByRole('group', { name: 'Position in the world' });
  await box.getByLabel('Step', { exact: true }).fill('0.25');
  await box.getByLabel('Step', { exact: true }).press('Enter');
  await bench.page.keyboard.down('Control');
  await dragBy(bench, await handleAt(bench, 'y'), [40, -40]);
  await bench.page.keyboard.up('Control');
  await bench.untilDistance('cone_1', [-1.6, 0, 0], 'farther', 0.2);
  const { position } = await serverPose(journey.server, 'cone_1');
  expect(Math.abs(position[1] / 0.25 - Math.round(position[1] / 0.25))).toBeLessThan(1e-6);

  await box.getByLabel('Position z', { exact: true }).fill('1 m + 5cm');
  await box.getByLabel('Position z', { exact: true }).press('Enter');
  await expect.poll(async () => (await serverPose(journey.server, 'cone_1')).position[2]).toBeCloseTo(1.05, 6);
  // The view turns to where the page has it.
  await bench.untilDistance('cone_1', [position[0], position[1], 1.05], 'nearer', 0.001);

  await bench.row('cone_1').click();
  await bench.page.keyboard.press('f');
  await bench.page.keyboard.press('r');
  await bench.button('Move in steps').click();
  const steps = async (): Promise<number> => (((await serverPose(journey.server, 'cone_1')).rpy[2] - yaw) * 180) / Math.PI / 15;
  const yaw = (await serverPose(journey.server, 'cone_1')).rpy[2];
  await dragBy(bench, await handleAt(bench, 'z'), [60, 0]);
  await expect.poll(async () => Math.abs(await steps())).toBeGreaterThan(0.5);
  expect(Math.abs((await steps()) - Math.round(await steps()))).toBeLessThan(1e-6);
  await bench.picture('rotate');
  const turn = bench.page.getByRole('group', { name: 'Rotation in the world' });
  await turn.getByLabel('Rotation yaw', { exact: true }).fill('90');
  await turn.getByLabel('Rotation yaw', { exact: true }).press('Enter');
  await expect.poll(async () => (await serverPose(journey.server, 'cone_1')).rpy[2]).toBeCloseTo(Math.PI / 2, 6);
  await bench.close();
});

it('a number that is typed in a drag says how far it goes', async () => {
  const bench = await journey.open();
  await bench.select('cone_1');
  await bench.page.keyboard.press('f');
  await bench.page.keyboard.press('t');
  const [x] = await bench.position('cone_1');
  await dragBy(bench, await handleAt(bench, 'x'), [30, 0], false);
  await bench.page.keyboard.type('-1.25');
  await expect.poll(() => bench.page.getByRole('status', { name: 'Typed' }).textContent()).toBe('-1.25 m');
  await bench.page.keyboard.press('Enter');
  await expect.poll(async () => (await serverPose(journey.server, 'cone_1')).position[0]).toBeCloseTo(x - 1.25, 6);
  await bench.page.mouse.up();
  // The server may know of it before the page does.
  await bench.untilUndo('Move cone_1');
  await bench.page.keyboard.press('Control+z');
  await expect.poll(async () => (await serverPose(journey.server, 'cone_1')).position[0]).toBeCloseTo(x, 6);
  await bench.close();
});

it('what is scaled keeps its place, and what cannot be is refused and snaps back', async () => {
  const bench = await journey.open();
  await bench.select('cone_1');
  await bench.page.keyboard.press('f');
  await bench.page.keyboard.press('s');
  const before = await bench.position('cone_1');
  const size = async (): Promise<string> => journey.server.command('entity', 'show', 'cone_1::link::body');
  const small = await size();
  await dragBy(bench, await handleAt(bench, 'view'), [30, -30]);
  await expect.poll(size).not.toBe(small);
  await bench.untilDistance('cone_1', before, 'nearer', 0.001);
  await bench.picture('scale');
  await bench.untilUndo('Scale cone_1');
  await bench.page.keyboard.press('Control+z');
  await expect.poll(size).toBe(small);

  // Joints hold the rover together.
  await bench.select('vehicle');
  await bench.page.keyboard.press('f');
  await dragBy(bench, await handleAt(bench, 'view'), [30, -30]);
  await bench.told(/joints hold it, so scale its collisions and visuals/u);
  await bench.close();
});

it('several things go together, while the world runs, and come back together', async () => {
  const bench = await journey.open();
  await bench.button('History').click();
  await bench.row('cone_1').click();
  await bench.row('cone_2').click({ modifiers: ['Control'] });
  await bench.page.keyboard.press('f');
  await bench.button('Translate').click();
  const [one, two] = [await bench.position('cone_1'), await bench.position('cone_2')];
  await bench.play();
  await dragBy(bench, await handleAt(bench, 'x'), [60, -10]);
  await bench.pause();
  await bench.untilDistance('cone_1', one, 'farther', 0.05);
  await bench.untilDistance('cone_2', two, 'farther', 0.05);
  await expect.poll(() => bench.timeline()).toEqual(['Now', 'Move 2 entities']);
  await bench.page.keyboard.press('Control+z');
  await bench.untilDistance('cone_1', one, 'nearer', 0.01);
  await bench.untilDistance('cone_2', two, 'nearer', 0.01);
  await bench.close();
});

it('a click on a handle selects nothing else, and the camera turns beside it', async () => {
  const bench = await journey.open();
  await bench.select('cone_1');
  await bench.page.keyboard.press('f');
  await bench.page.keyboard.press('t');
  const handle = await handleAt(bench, 'z');
  await bench.page.mouse.click(...handle);
  await bench.inspector.getByRole('heading', { name: 'cone_1', exact: true }).waitFor();
  const [x, y] = await middleOf(bench);
  await dragBy(bench, [x + 200, y + 150], [-80, 0]);
  expect(await handleAt(bench, 'x')).not.toEqual(handle);
  await bench.inspector.getByRole('heading', { name: 'cone_1', exact: true }).waitFor();
  await bench.close();
});
