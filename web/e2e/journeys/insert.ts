/** A person puts new things into the world, and takes things out. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

import { ownFolder } from '../harness/folders';
import { journeyOn } from '../harness/journey';

const journey = journeyOn('cones');

it('a box stands free on the ground, is copied, falls asleep there, and goes by Undo', async () => {
  const bench = await journey.open();
  await bench.insert('Box');
  await bench.inspector.getByRole('heading', { name: 'box', exact: true }).waitFor();
  const start = await bench.position('box');
  // On the ground, or on the paint of the course.
  expect(Math.abs(start[2] - 0.2)).toBeLessThan(0.006);
  await bench.picture('insert');

  await bench.page.keyboard.press('Control+d');
  await bench.inspector.getByRole('heading', { name: 'box_1', exact: true }).waitFor();
  const copy = await bench.position('box_1');
  expect(copy[0] - start[0]).toBeCloseTo(0.5, 3);

  await journey.server.command('world', 'step', '500');
  await bench.untilSimTime(0.5);
  await bench.untilDistance('box', start, 'nearer', 0.01);
  await bench.untilDistance('box_1', copy, 'nearer', 0.01);

  await bench.page.keyboard.press('Control+z');
  await bench.row('box_1').waitFor({ state: 'detached' });
  await bench.page.keyboard.press('Control+z');
  await bench.row('box').waitFor({ state: 'detached' });
  await bench.close();
});

it('every shape and light of the menu can be inserted', async () => {
  const bench = await journey.open();
  for (const [item, name] of [
    ['Sphere', 'sphere'], ['Cylinder', 'cylinder'], ['Capsule', 'capsule'], ['Cone', 'cone'], ['Ellipsoid', 'ellipsoid'],
    ['Point light', 'point_light'], ['Spot light', 'spot_light'], ['Directional light', 'directional_light'],
  ] as const) {
    await bench.insert(item);
    await bench.inspector.getByRole('heading', { name, exact: true }).waitFor();
  }
  await journey.server.command('world', 'step', '300');
  await bench.untilSimTime(0.3);
  // They stand where they were put: nothing overlaps.
  for (const name of ['cylinder', 'cone', 'ellipsoid']) {
    expect((await bench.position(name))[2]).toBeLessThan(0.5);
    expect((await bench.position(name))[2]).toBeGreaterThan(0.1);
  }
  await bench.close();
});

it('a model comes out of a file, and a file that is none is explained', async () => {
  const folder = ownFolder('files');
  const robot = path.join(folder, 'post.urdf');
  const inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>';
  writeFileSync(robot, `<robot name="post"><link name="base"><inertial><mass value="1"/>${inertia}</inertial></link></robot>`);
  const broken = path.join(folder, 'broken.sdf');
  writeFileSync(broken, '<sdf version="1.9"><model name="m"><link');
  const bench = await journey.open();
  const picker = bench.page.getByLabel('Model file');
  await picker.setInputFiles(robot);
  await bench.page.getByText('Click where the model goes').waitFor();
  await bench.page.keyboard.press('Enter');
  await bench.inspector.getByRole('heading', { name: 'post', exact: true }).waitFor();
  await picker.setInputFiles(broken);
  await bench.page.getByText('Click where the model goes').waitFor();
  await bench.page.keyboard.press('Enter');
  await bench.told(/^The SDF text cannot be used/u);
  await bench.close();
});

it('the menu of a row does what it says, by mouse and by keys', async () => {
  const bench = await journey.open();
  await bench.row('cone_2').click({ button: 'right' });
  const menu = bench.page.getByRole('menu', { name: 'Entity menu' });
  await menu.waitFor();
  await bench.picture('tree-menu');
  await menu.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  await bench.row('cone_2').waitFor({ state: 'detached' });

  await bench.row('cone_3').click();
  await bench.page.keyboard.press('Shift+F10');
  await menu.waitFor();
  await bench.page.keyboard.press('d');
  await bench.page.keyboard.press('Enter');
  await bench.inspector.getByRole('heading', { name: /^cone_3_\d$|^cone_\d$/u }).waitFor();
  expect(await menu.count()).toBe(0);
  await bench.close();
});
