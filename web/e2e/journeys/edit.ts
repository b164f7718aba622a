/** A person edits components in the inspector, and the world follows. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';

const journey = journeyOn('cones');

it('what is typed moves a model, physics goes on from there, and Undo brings it back', async () => {
  const bench = await journey.open();
  await bench.select('cone_1');
  const start = await bench.position('cone_1');
  const lifted = [start[0], start[1], 1.5];
  await bench.set('Position z', '1 m + 50 cm');
  await bench.untilDistance('cone_1', lifted, 'nearer', 0.001);
  // Enter ends the typing: the keys are the page's again.
  await bench.page.keyboard.press('t');
  expect(await bench.button('Translate').getAttribute('aria-pressed')).toBe('true');
  await bench.page.keyboard.press('Escape');
  await bench.untilUndo('Set pose of cone_1');

  // Without gravity it stays in the air, whatever the clock says.
  await bench.select('cone_1::link');
  await bench.field('gravity').click();
  await expect.poll(() => bench.field('gravity').isChecked()).toBe(false);
  await bench.untilUndo('Set gravity of cone_1::link');
  await journey.server.command('world', 'step', '500');
  await bench.untilSimTime(0.5);
  await bench.untilDistance('cone_1', lifted, 'nearer', 0.001);

  await bench.field('gravity').click();
  await expect.poll(() => bench.field('gravity').isChecked()).toBe(true);
  await journey.server.command('world', 'step', '300');
  await bench.untilDistance('cone_1', lifted, 'farther', 0.2);

  for (let n = 0; n < 3; n += 1) {
    await bench.page.keyboard.press('Control+z');
  }
  await bench.untilDistance('cone_1', start, 'nearer', 0.001);
  await bench.untilSimTime(0);
  await bench.close();
});

it('what cannot be snaps back, and the reason stands at the field until the next edit', async () => {
  const bench = await journey.open();
  await bench.select('cone_1::link');
  await bench.set('mass kg', 'heavy');
  await bench.inspector.getByRole('alert').getByText('“heavy” is no number').waitFor();
  await bench.untilField('mass kg', '0.9');

  // The server knows more than the page: no body has such moments.
  await bench.set('moments xx', '100');
  const reason = bench.inspector.getByRole('alert').filter({ hasText: /moments/u });
  await reason.waitFor();
  await bench.untilField('moments xx', /^0\.011\d*$/u);
  expect(await bench.field('moments xx').getAttribute('aria-invalid')).toBe('true');
  await bench.picture('inspector-refused');

  await bench.set('moments xx', '0.012');
  await reason.waitFor({ state: 'detached' });
  await bench.untilField('moments xx', '0.012');
  await bench.untilUndo('Set moments of inertia of cone_1::link');
  await bench.close();
});

it('a drag is one command, arrow keys step, and Esc leaves a field as it was', async () => {
  const bench = await journey.open();
  await bench.button('History').click();
  await bench.select('cone_1');
  const x = bench.field('Position x');
  const box = await x.boundingBox();
  if (box === null) {
    throw new Error('the field is not on screen');
  }
  const [before] = await bench.position('cone_1');
  await bench.page.mouse.move(box.x + 20, box.y + 8);
  await bench.page.mouse.down();
  await bench.page.mouse.move(box.x + 100, box.y + 8, { steps: 20 });
  await bench.page.mouse.up();
  await bench.untilField('Position x', '0.4');
  await bench.untilDistance('cone_1', [before + 2, (await bench.position('cone_1'))[1], 0], 'nearer', 0.001);
  await expect.poll(() => bench.timeline()).toEqual(['Now', 'Set pose of cone_1']);

  await x.click();
  await bench.page.keyboard.press('ArrowUp');
  await bench.page.keyboard.press('Shift+ArrowDown');
  await bench.untilField('Position x', '0.31');
  await expect.poll(() => bench.timeline()).toHaveLength(3);
  await bench.page.keyboard.type('99');
  await bench.page.keyboard.press('Escape');
  await bench.untilField('Position x', '0.31');
  // The field has the focus and nothing is typed: the keys of the page work.
  await bench.page.keyboard.press('Control+z');
  await bench.untilField('Position x', '0.4');
  await bench.page.keyboard.press('Control+z');
  await bench.untilField('Position x', '-1.6');
  await bench.close();
});

it('a value that somebody else changes does not move under the hands', async () => {
  const [one, other] = await Promise.all([journey.open(), journey.open('light')]);
  for (const bench of [one, other]) {
    await bench.select('cone_1');
  }
  await one.field('Position y').fill('7');
  await other.set('Position y', '3');
  await one.untilDistance('cone_1', [-1.6, 3, 0], 'nearer', 0.001);
  expect(await one.field('Position y').inputValue()).toBe('7');
  await one.page.locator('[title^="Meanwhile somebody made it 3 m"]').waitFor();
  await one.page.keyboard.press('Escape');
  await one.untilField('Position y', '3');

  await one.field('Position y').fill('4');
  await one.page.keyboard.press('Enter');
  await other.untilField('Position y', '4');
  await one.close();
  await other.close();
});

it('pose, shape, colour and friction have editors that fit them', async () => {
  const bench = await journey.open();
  await bench.select('cone_1');
  await bench.set('Rotation yaw', '90');
  await bench.button('Quaternion').click();
  await bench.untilField('Rotation z', '0.7071');
  await bench.button('Quaternion').click();
  await bench.untilField('Rotation yaw', '90');

  await bench.select('cone_1::link::body', 'visual');
  await bench.field('geometry').selectOption('cylinder');
  await bench.set('cylinder radius', '5cm');
  await bench.untilField('cylinder radius', '0.05');
  await bench.field('diffuse').fill('#2080ff');
  await bench.untilField('diffuse', '#2080ff');
  await bench.set('diffuse alpha', '0.5');
  await bench.untilField('diffuse alpha', '0.5');
  await bench.field('pbr').click();
  await expect.poll(() => bench.field('pbr metalness').count()).toBe(0);
  await bench.picture('inspector-visual');

  await bench.select('cone_1::link::body', 'collision');
  await bench.set('friction mu', '0.25');
  await bench.untilField('friction mu', '0.25');
  await bench.set('friction mu', '-1');
  await bench.inspector.getByRole('alert').getByText('It must be at least 0, not -1').waitFor();
  await bench.close();
});

it('an appearance that is not there can be added', async () => {
  const bench = await journey.open();
  await bench.insert('Sphere');
  await bench.inspector.getByRole('heading', { name: 'sphere' }).waitFor();
  await bench.select('sphere::link');
  const dialog = await bench.add('Add SDF text…');
  await dialog.getByLabel('SDF text').fill('<visual name="bare"><geometry><box><size>1 1 1</size></box></geometry></visual>');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await bench.inspector.getByRole('heading', { name: 'bare' }).waitFor();
  await bench.button('Add component').click();
  await bench.page.getByRole('menuitem', { name: 'Material' }).click();
  await bench.untilField('diffuse', '#ffffff');
  await bench.close();
});
