/** A first hour, on with robots: teach, plot, listen, script, and edit while paused. Each is done, seen and taken back. */
import { expect, it } from 'vitest';

import { traveller } from '../harness/journey';
import { quadrupedLesson } from '../harness/lesson';
import { PlotsPanel } from '../harness/plots';
import { Server } from '../harness/server';
import { Teacher } from '../harness/teacher';

const travel = traveller();

it('motions: two poses are taught, executed and taken back', async () => {
  const server = await Server.open(quadrupedLesson().world);
  const bench = await travel.visit(server);
  await server.command('world', 'step', '500');
  await bench.untilSimTime(0.5);
  await bench.row('quadruped').click();
  await bench.page.keyboard.press('f');
  const teacher = new Teacher(bench);
  await teacher.begin();
  await teacher.moveOnly('head_tilt');
  await teacher.addPose();
  await teacher.addPose();
  await teacher.type('Time', 2, '1');
  await teacher.type('head_tilt', 2, '0.4');
  await teacher.untilColumn('head_tilt', [(await teacher.column('head_tilt'))[0] ?? 0, 0.4]);
  await bench.play();
  await teacher.execute('Execute virtual');
  await bench.pause();
  const secs = await server.simTimeSecs();
  await bench.picture('tour-teach');
  // The world goes back to when it was told to move; the head is where it was by then.
  await bench.row('quadruped').click();
  await bench.untilUndo(/^Undo /u);
  await bench.page.keyboard.press('Control+z');
  await expect.poll(() => bench.simTimeSecs()).toBeLessThan(secs - 0.9);
  await expect.poll(() => teacher.panel.getByRole('img', { name: 'The virtual robot is here' }).count()).toBeLessThan(2);
  await bench.close();
});

it('plots: a joint is plotted while it swings, and a jump back is seen in the curve', async () => {
  const server = await Server.start('pendulums');
  const bench = await travel.visit(server);
  const panel = await PlotsPanel.open(bench);
  const signal = 'wave_1::pivot::angle';
  await (await panel.browse('Models', 'wave_1', 'pivot', 'angle')).dblclick();
  await panel.heard('Plot 1', signal);
  await bench.button('Restore dock').click();
  await server.command('world', 'step', '1500');
  await bench.untilSimTime(1.5);
  await bench.select('wave_2');
  await bench.set('Position z', '2');
  await bench.untilUndo('Set pose of wave_2');
  await server.command('world', 'step', '1500');
  await bench.untilSimTime(3);
  await panel.hover('Plot 1', 0.25);
  await expect.poll(() => panel.value('Plot 1', signal)).not.toBeNaN();
  await bench.picture('tour-plots');
  await bench.row('wave_1').click();
  await bench.page.keyboard.press('Control+z');
  await bench.untilSimTime(1.5);
  await bench.close();
});

it('topics: a message moves the rover, and undo brings it back', async () => {
  const bench = await travel.visit(await Server.start('cones'));
  await bench.select('cone_1');
  await bench.set('Position y', '2');
  await bench.untilUndo('Set pose of cone_1');
  const start = await bench.position('vehicle');
  await bench.button('Topics').click();
  await bench.button('Publish on another topic').click();
  const dock = bench.page.getByRole('region', { name: 'Dock' });
  await dock.getByLabel('Topic', { exact: true }).fill('/model/vehicle/cmd_vel');
  await dock.getByLabel('Type', { exact: true }).fill('retake.msgs.Twist');
  const json = dock.getByLabel('Message as JSON', { exact: true });
  await expect.poll(() => json.inputValue()).toContain('"angular"');
  await json.fill('{ "linear": { "x": 0.5 }, "angular": { "z": 0.8 } }');
  await bench.button('Publish').click();
  await bench.page.getByText('Published on /model/vehicle/cmd_vel', { exact: true }).waitFor();
  await bench.play();
  await bench.untilDistance('vehicle', start, 'farther', 0.4);
  await bench.pause();
  await bench.picture('tour-topics');
  // What is published is no edit; the edit before it takes the drive back with it.
  await bench.row('vehicle').click();
  await bench.page.keyboard.press('Control+z');
  await bench.untilDistance('vehicle', start, 'nearer', 0.001);
  await bench.close();
});

it('scripts: a gripper picks a block up, and what its script remembers goes back with it', async () => {
  const server = await Server.start('scripts');
  const bench = await travel.visit(server);
  const phase = async (): Promise<string> => /phase\s*[:=]?\s*"?(\w+)/u.exec(await server.command('script', 'show', 'picker::pick'))?.[1] ?? '';
  await bench.select('rover');
  await bench.set('Position z', '0.12');
  await bench.untilUndo('Set pose of rover');
  const start = await bench.position('block');
  const before = await phase();
  await server.command('world', 'step', '6000');
  await bench.untilSimTime(6);
  await bench.untilDistance('block', start, 'farther', 0.1);
  expect(await phase()).not.toBe(before);
  await bench.row('picker').click();
  await bench.page.keyboard.press('f');
  await bench.select('picker::pick');
  await bench.inspector.getByText('Script remembers', { exact: true }).waitFor();
  await bench.inspector.getByText('hold', { exact: true }).waitFor();
  await bench.picture('tour-scripts');
  await bench.page.keyboard.press('Control+z');
  await bench.untilDistance('block', start, 'nearer', 0.001);
  await bench.inspector.getByText('down', { exact: true }).waitFor();
  await expect.poll(phase).toBe(before);
  await bench.close();
});

it('paused editing: edits of a GUI in its own process wait for the world, and can be taken back before', async () => {
  const server = await Server.serve('arm');
  const bench = await travel.visit(await server.gui());
  await bench.select('block_red');
  const start = await bench.position('block_red');
  await bench.set('Position z', '1.4');
  await bench.untilDistance('block_red', [start[0], start[1], 1.4], 'nearer', 0.001);
  await bench.insert('Sphere');
  await bench.row('sphere').waitFor();
  await expect.poll(() => bench.status('Waiting edits').textContent()).toContain('2 edits wait for Play');
  await bench.button('History').click();
  await expect.poll(() => bench.timeline()).toHaveLength(3);
  await bench.picture('tour-paused');
  await bench.row('block_red').click();
  await bench.page.keyboard.press('Control+z');
  await bench.page.keyboard.press('Control+z');
  await bench.row('sphere').waitFor({ state: 'detached' });
  await bench.untilDistance('block_red', start, 'nearer', 0.001);
  await bench.status('Waiting edits').waitFor({ state: 'detached' });
  await bench.close();
});
