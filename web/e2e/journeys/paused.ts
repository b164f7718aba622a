/** Two people edit a paused world in two GUIs of their own; the server takes it over when it goes on. */
import { expect, it } from 'vitest';

import type { Workbench } from '../harness/browser';
import { journeyOn } from '../harness/journey';
import { Server } from '../harness/server';
import { dragBy, handleAt, serverPose } from '../harness/view';

const journey = journeyOn(() => Server.serve('arm'));

/** A page in each of two GUIs. */
async function bothPages(): Promise<readonly [Workbench, Workbench]> {
  const page = async (): Promise<Workbench> => journey.visit(await journey.server.gui());
  return Promise.all([page(), page()]);
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
    await expect.poll(async () => (await bench.timeline())[0]).toBe('Now');
    expect(await bench.timeline()).toHaveLength(3);
    await expect.poll(() => bench.page.locator('.tree-panel .marks').count()).toBe(0);
  }
  expect(JSON.parse(await journey.server.command('entity', 'list', '--format', 'json'))).toBeDefined();
  await anna.close();
  await bob.close();
});

/** The value of a field as the server has it. */
async function served(entity: string, field: string): Promise<unknown> {
  const fields = JSON.parse(await journey.server.command('entity', 'fields', entity, '--format', 'json')) as { field: string; value: unknown }[];
  return fields.find((row) => row.field === field)?.value;
}

it('different fields both win; of the same field the later one holds, and both are told', async () => {
  const [anna, bob] = await bothPages();
  await anna.select('arm::elbow');
  await anna.set('axes 0 limits upper', '40deg');
  await bob.select('arm::elbow');
  await bob.set('axes 0 dynamics damping', '7');
  await anna.select('arm::forearm');
  await anna.set('mass kg', '3');
  await anna.untilField('mass kg', '3');
  await bob.select('arm::forearm');
  await expect.poll(() => bob.row('forearm').getAttribute('title')).toMatch(/page \d+\.\d+: Set mass of arm::forearm, when the world goes on$/u);
  await bob.untilField('mass kg', '5.2');
  await bob.set('mass kg', '4');
  await bob.untilField('mass kg', '4');
  await anna.untilField('mass kg', '3');
  for (const bench of [anna, bob]) {
    await bench.button('History').click();
  }
  await expect.poll(() => bob.timeline()).toHaveLength(1 + 4);

  await anna.button('Step').click();
  for (const bench of [anna, bob]) {
    await bench.untilField('mass kg', '4');
    await bench.page.getByRole('alertdialog', { name: 'Conflict: mass of arm::forearm' }).waitFor();
  }
  await anna.picture('conflict');
  expect(await served('arm::forearm', 'inertial.mass_kg')).toBe('4');
  for (const bench of [anna, bob]) {
    await bench.select('arm::elbow');
    await bench.untilField('axes 0 limits upper', '0.6981');
    await bench.untilField('axes 0 dynamics damping', '7');
    await bench.select('arm::forearm');
  }

  // One click takes the other value; it is an edit like any other, and waits for the world to go on.
  const notice = anna.page.getByRole('alertdialog', { name: 'Conflict: mass of arm::forearm' });
  await notice.getByRole('button', { name: 'Use my value' }).click();
  await notice.waitFor({ state: 'detached' });
  await anna.untilField('mass kg', '3');
  await bob.button('Step').click();
  await bob.untilField('mass kg', '3');
  expect(await served('arm::forearm', 'inertial.mass_kg')).toBe('3');
  await bob.page.getByRole('alertdialog').getByRole('button', { name: 'Dismiss' }).click();

  // All of it is undone one by one, from either page.
  for (const [index, bench] of [anna, bob, anna, bob, anna].entries()) {
    await bench.button('Undo').click();
    for (const page of [anna, bob]) {
      await expect.poll(async () => (await page.timeline()).indexOf('Now')).toBe(index + 1);
    }
  }
  for (const bench of [anna, bob]) {
    await bench.untilField('mass kg', '5.2');
    await bench.select('arm::elbow');
    await bench.untilField('axes 0 limits upper', '0.9');
    await bench.untilField('axes 0 dynamics damping', '1');
  }
  await anna.close();
  await bob.close();
});

it('what is held by a GUI is undone and redone there, before anybody else has it', async () => {
  const [anna, bob] = await bothPages();
  await anna.select('arm::forearm');
  await anna.set('mass kg', '6');
  await anna.untilField('mass kg', '6');
  await anna.button('Undo').click();
  await anna.untilField('mass kg', '5.2');
  await anna.button('Redo').click();
  await anna.untilField('mass kg', '6');
  await anna.button('Undo').click();
  await bob.select('arm::forearm');
  await bob.button('Step').click();
  await expect.poll(() => anna.status('Waiting edits').count()).toBe(0);
  await bob.untilField('mass kg', '5.2');
  await anna.close();
  await bob.close();
});

it('two change what a robot is made of, and both pages, the command line and the server agree', async () => {
  const [anna, bob] = await bothPages();
  // One adds a link with a sensor and narrows a joint.
  await anna.select('arm');
  let dialog = await anna.add('Add link…');
  await dialog.getByLabel('Name').fill('flag');
  await dialog.getByLabel('Position z').fill('2');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await anna.inspector.getByRole('heading', { name: 'flag', exact: true }).waitFor();
  dialog = await anna.add('Add sensor…');
  await dialog.getByLabel('Name').fill('feeler');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await anna.inspector.getByRole('heading', { name: 'feeler', exact: true }).waitFor();
  await anna.select('arm::wrist_2');
  await anna.set('axes 0 limits upper', '20deg');

  // The other deletes a joint that a controller needs, changes a shape and a name, and takes a model out.
  await bob.select('arm::wrist_3');
  await bob.page.keyboard.press('Delete');
  await bob.select('can');
  await bob.page.keyboard.press('F2');
  await bob.page.keyboard.type('tin');
  await bob.page.keyboard.press('Enter');
  await bob.row('tin').waitFor();
  await bob.row('ball').click();
  await bob.page.keyboard.press('Delete');
  await bob.row('ball').waitFor({ state: 'detached' });
  await bob.select('block_red::link::shape', 'collision');
  await bob.field('geometry').selectOption('sphere');
  await bob.untilField('sphere radius', '0.035');

  for (const bench of [anna, bob]) {
    await bench.button('History').click();
  }
  await expect.poll(async () => (await anna.timeline()).slice(0, 8)).toEqual([
    'Delete arm::wrist_3', 'Rename can to tin', 'Delete ball', 'Set shape of block_red::link::shape', 'Now', 'Set upper limit of arm::wrist_2', 'Insert feeler into arm::flag', 'Insert flag into arm',
  ]);
  const before = (await anna.timeline()).length - 8;
  const told = await journey.server.command('world', 'pending');
  expect(told).toContain('Rename can to tin');

  await anna.button('Step').click();
  for (const bench of [anna, bob]) {
    await expect.poll(async () => (await bench.timeline())[0], { timeout: 20_000 }).toBe('Now');
    expect(await bench.timeline()).toHaveLength(before + 8);
    await bench.row('tin').waitFor();
    await bench.row('ball').waitFor({ state: 'detached' });
    await bench.select('arm::flag::feeler', 'sensor');
    await bench.select('arm::wrist_2', 'joint');
    await bench.untilField('axes 0 limits upper', '0.3491');
    await bench.row('wrist_3').waitFor({ state: 'detached' });
    await bench.select('block_red::link::shape', 'collision');
    await bench.untilField('sphere radius', '0.035');
    await bench.page.locator('.status-bar .chip').filter({ hasText: 'JointPositionController stopped' }).waitFor();
  }
  expect(await served('arm::wrist_2', 'joint.axes.0.limits.upper')).toMatch(/^0\.349/u);

  for (const [index, bench] of [anna, bob, anna, bob, anna, bob, anna].entries()) {
    await bench.button('Undo').click();
    for (const page of [anna, bob]) {
      await expect.poll(async () => (await page.timeline()).indexOf('Now'), { timeout: 20_000 }).toBe(index + 1);
    }
  }
  for (const bench of [anna, bob]) {
    await bench.row('can').waitFor();
    await bench.row('ball').waitFor();
    await bench.select('arm::wrist_3', 'joint');
    await bench.row('flag').waitFor({ state: 'detached' });
    await bench.select('block_red::link::shape', 'collision');
    await bench.untilField('box size x', '0.07');
    await expect.poll(() => bench.page.locator('.status-bar .chip').filter({ hasText: 'stopped' }).count()).toBe(0);
  }
  await anna.close();
  await bob.close();
});

it('what cannot be any more is refused with the reason, and is discarded by a click', async () => {
  const [anna, bob] = await bothPages();
  await bob.row('block_green').click();
  await bob.page.keyboard.press('Delete');
  await bob.row('block_green').waitFor({ state: 'detached' });
  await anna.select('block_green::link');
  await anna.set('mass kg', '2');
  await anna.untilField('mass kg', '2');
  await bob.button('Step').click();
  await anna.row('block_green').waitFor({ state: 'detached' });
  await anna.told(/^Set mass of block_green::link was refused: /u);
  await anna.button('History').click();
  const refused = anna.page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').filter({ hasText: 'Set mass of block_green::link' });
  await refused.locator('.refused').waitFor();
  // Only who holds it can let go of it.
  await bob.button('History').click();
  await expect.poll(() => bob.timeline()).toContain('Set mass of block_green::link');
  expect(await bob.button('Discard').count()).toBe(0);
  await refused.getByRole('button', { name: 'Discard' }).click();
  await refused.waitFor({ state: 'detached' });
  await anna.close();
  await bob.close();
});

it('what is dragged while paused is there at once, waits for the world to go on, and is everybody’s then', async () => {
  const [anna, bob] = await bothPages();
  await anna.row('block_red').click();
  await anna.page.keyboard.press('f');
  await anna.page.keyboard.press('t');
  const start = await anna.position('block_red');
  await dragBy(anna, await handleAt(anna, 'z'), [0, -60]);
  await anna.untilDistance('block_red', start, 'farther', 0.02);
  const lifted = await anna.position('block_red');
  expect((await serverPose(journey.server, 'block_red')).position[2]).toBeCloseTo(start[2], 6);
  await expect.poll(() => anna.status('Waiting edits').textContent()).toContain('1 edit waits for Play');
  await bob.button('Step').click();
  await expect.poll(async () => (await serverPose(journey.server, 'block_red')).position[2]).toBeCloseTo(lifted[2], 3);
  await bob.untilDistance('block_red', lifted, 'nearer', 0.001);
  await anna.page.keyboard.press('Control+z');
  await anna.untilDistance('block_red', start, 'nearer', 0.001);
  await anna.close();
  await bob.close();
});
