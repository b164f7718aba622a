/** The tools of the motion panel on the real robot: timeline, curves, text actions, recording, checks. */
import { beforeEach, expect, it } from 'vitest';

import type { Workbench } from '../harness/browser';
import { journeyOn } from '../harness/journey';
import { quadrupedLesson } from '../harness/lesson';
import { Server } from '../harness/server';
import { dragBy, Teacher } from '../harness/teacher';

const journey = journeyOn(() => Server.open(quadrupedLesson().world));
let bench: Workbench;
let teacher: Teacher;

beforeEach(async () => {
  bench = await journey.open();
  teacher = new Teacher(bench);
});

/** Three poses of the head. */
async function teachHead(angles: readonly [string, string, string] = ['0', '0.4', '0']): Promise<void> {
  await teacher.begin();
  await teacher.moveOnly('neck_pan', 'head_tilt');
  for (const [place, angle] of angles.entries()) {
    await teacher.addPose();
    await teacher.type('neck_pan', place + 1, '0');
    await teacher.type('head_tilt', place + 1, angle);
  }
  await teacher.untilColumn('head_tilt', angles.map(Number));
}

const key = (place: number) => teacher.panel.getByRole('toolbar', { name: 'Waypoints' }).locator('.key').nth(place - 1);

it('keys are dragged in time and on the curves, and warnings come at once', async () => {
  await teachHead();
  await bench.button('Maximise dock').click();
  const [, before = 0] = await teacher.column('Time');
  await dragBy(bench, key(2), [60, 0]);
  await expect.poll(async () => (await teacher.column('Time'))[1]).toBeGreaterThan(before + 0.05);
  // A drag is undone as one.
  await bench.page.keyboard.press('Control+z');
  await teacher.untilColumn('Time', [0, 1, 2]);

  // Far out on the curve the joint's limit is left; back in range the warning is gone.
  await teacher.type('head_tilt', 2, '0.9');
  await teacher.panel.getByRole('button', { name: '1 warning' }).click();
  await teacher.panel.getByText('head_tilt goes to 0.90 rad at 1.00 s, its limit is 0.70 rad').first().waitFor();
  await bench.picture('teach-timeline');
  await bench.page.keyboard.press('Escape');
  await teacher.type('head_tilt', 2, '0.4');
  await expect.poll(() => teacher.panel.getByRole('button', { name: /warning/u }).count()).toBe(0);

  // A spline that swings past its waypoints is told, the monotone one never does.
  await teacher.addPose();
  await teacher.type('head_tilt', 4, '0.6');
  await teacher.type('Time', 4, '2.2');
  await teacher.panel.getByLabel('Interpolation').selectOption('natural');
  await teacher.panel.getByRole('button', { name: /warning/u }).first().waitFor();
  await bench.picture('teach-overshoot');
  await teacher.panel.getByLabel('Interpolation').selectOption('monotone');
  await expect.poll(() => teacher.panel.getByRole('button', { name: /warning/u }).count()).toBe(0);
});

it('is reversed, mirrored, made as short as limits allow, and checked', async () => {
  await teachHead(['0', '0.4', '-0.2']);
  await bench.button('Maximise dock').click();
  await teacher.type('neck_pan', 2, '0.5');
  await bench.button('Mirror left and right').click();
  await teacher.untilColumn('neck_pan', [0, -0.5, 0]);
  await teacher.untilColumn('head_tilt', [0, 0.4, -0.2]);
  await bench.button('Reverse the motion').click();
  await teacher.untilColumn('head_tilt', [-0.2, 0.4, 0]);

  // Of joints the model knows velocity limits; an acceleration is for the person to say.
  await teacher.panel.getByLabel('Highest acceleration').fill('10');
  await teacher.panel.getByLabel('Highest acceleration').press('Enter');
  await bench.button('Retime: as short as the limits allow').click();
  await expect.poll(async () => (await teacher.column('Time')).at(-1)).toBeLessThan(1.5);
  await bench.picture('teach-retimed');
  await bench.button('Check limits and collisions on the whole way').click();
  await bench.told('Nothing stands in the way of the motion');

  // Legs that cross are found before anything moves.
  await bench.button('New motion').click();
  await bench.page.getByRole('dialog', { name: 'New motion' }).getByRole('button', { name: 'Lose changes and begin' }).click();
  await teacher.panel.getByText('No waypoints yet').first().waitFor();
  await teacher.addPose();
  await teacher.addPose();
  for (const [joint, angle] of [['lf_hip_pitch', '1.4'], ['lf_knee', '1'], ['lh_hip_pitch', '-1.4'], ['lh_knee', '-1.2']] as const) {
    await teacher.type(joint, 2, angle);
  }
  await bench.button('Check limits and collisions on the whole way').click();
  await teacher.panel.getByRole('button', { name: /warning/u }).first().click();
  await teacher.panel.getByText(/lf_shank runs into lh_shank/u).first().waitFor();
  await bench.picture('teach-collision');
});

it('loops until it is stopped, and its text actions sound and show', async () => {
  await teachHead();
  const sounds: string[] = [];
  bench.page.on('response', (answer) => {
    if (answer.url().includes('/sound/')) {
      sounds.push(String(answer.status()));
    }
  });
  await teacher.addAction('Play a sound', 'chirp', '0.2');
  await teacher.addAction('Show an emotion', 'happy', '0.4');
  await teacher.addAction('Say', 'Hello', '0.6');
  await teacher.tab('Timeline');
  await bench.picture('teach-actions');
  const eyes = async (): Promise<string> => journey.server.command('entity', 'fields', 'quadruped::head::eye_left');
  const before = await eyes();
  await bench.play();
  await bench.button('Loop: begin anew at the end').click();
  await bench.button('Go to start first').click();
  await bench.button('Execute virtual').click();
  await teacher.untilResult('virtual', /^\s*Looping/u);
  const said = bench.page.getByRole('log', { name: 'Said by robots' });
  await said.getByText('quadruped: Hello').waitFor();
  await expect.poll(() => sounds.length, { timeout: 60_000 }).toBeGreaterThan(1);
  expect(await eyes()).not.toBe(before);
  await bench.picture('teach-loop');
  await bench.button('Stop virtual').click();
  await teacher.untilResult('virtual', /^\s*Stopped/u);

  // What was executed is undone as anything else that happened to the world.
  await bench.row('quadruped').click();
  await bench.page.keyboard.press('Control+z');
  await teacher.untilResult('virtual', /^\s*Looping/u);
  await bench.button('Stop virtual').click();
  await teacher.untilResult('virtual', /^\s*Stopped/u);
});

it('follows a hand-guided path and keeps few waypoints of it', async () => {
  await teacher.begin();
  await bench.play();
  await bench.button('Torque off: all servos of the virtual robot').click();
  await bench.button('Record path of virtual').click();
  const recorded = bench.page.getByLabel('Recorded so far');
  await expect.poll(async () => Number.parseFloat((await recorded.textContent()) ?? ''), { timeout: 60_000 }).toBeGreaterThan(1);
  await bench.picture('teach-record');
  await bench.button('End the recording with waypoints').click();
  await expect.poll(() => teacher.rows.count()).toBeGreaterThan(1);
  expect(await teacher.rows.count()).toBeLessThan(60);
  await bench.picture('teach-recorded');
});
