/** A person teaches the quadruped a motion by hand, tries it on both robots, saves it and plays it by name. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

import type { Workbench } from '../harness/browser';
import { journeyOn } from '../harness/journey';
import { quadrupedLesson, type Lesson } from '../harness/lesson';
import { Server } from '../harness/server';
import { Teacher } from '../harness/teacher';

let lesson: Lesson;

const journey = journeyOn(async () => {
  lesson = quadrupedLesson();
  const lab = await Server.serveFile(quadrupedLesson('lab').world);
  return Server.open(lesson.world, { beside: lab, more: ['--robot', 'quadruped=retake:lab/quadruped', '--robot-patience', '5'] });
});

const retake = (...args: readonly string[]): Promise<string> => journey.server.command('--server', 'quadruped', ...args);

/** Pulls what is in the middle of the view, seen from farther off, and lets go. */
async function pullMiddle({ page }: Workbench, [dx, dy]: readonly [number, number], arrived: () => Promise<void>): Promise<void> {
  const box = await page.locator('.scene canvas').boundingBox();
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 500);
  await page.keyboard.down('Control');
  await page.mouse.down();
  await page.mouse.move(x + dx, y + dy, { steps: 10 });
  await arrived();
  await page.mouse.up();
  await page.keyboard.up('Control');
}

it('teaches poses by hand, executes them on both robots, saves, reloads and plays by name', async () => {
  const bench = await journey.open();
  const teacher = new Teacher(bench);
  await teachByHand(bench, teacher);
  await executeOnBoth(bench, teacher);
  await saveAndPlay(bench, teacher);
  await bench.close();
}, 480_000);

async function teachByHand(bench: Workbench, teacher: Teacher): Promise<void> {
  const { page } = bench;
  // No dog stands on three legs: a box holds it while one of them is limp.
  await retake('entity', 'scale', 'box', '1', '1', '1.4');
  await retake('entity', 'move', 'box', '--to', '0', '0', '0.155', '--rpy', '0', '0', '-0.75');
  await bench.play();
  await teacher.begin();
  await bench.picture('teach-begin');
  await teacher.moveOnly('lf_hip_pitch', 'lf_knee');
  await teacher.tab('Setup');
  await bench.picture('teach-setup');
  await teacher.tab('Table');

  // Limp, the leg goes where it is dragged; with torque it stays there.
  await teacher.addPose();
  await bench.button("Torque off: the motion's servos of the virtual robot").click();
  await teacher.tab('Setup');
  await expect.poll(() => teacher.panel.getByText('limp').count()).toBe(2);
  await teacher.tab('Table');
  await bench.select('quadruped::lf_shank', 'link');
  await page.keyboard.press('f');
  const start = await bench.position('quadruped::lf_shank');
  await pullMiddle(bench, [60, -60], () => bench.untilDistance('quadruped::lf_shank', start, 'farther', 0.03));
  await bench.button("Torque on: the motion's servos of the virtual robot").click();
  await teacher.tab('Setup');
  await expect.poll(() => teacher.panel.getByText('limp').count()).toBe(0);
  await teacher.tab('Table');
  await teacher.addPose();
  await bench.picture('teach-pose');

  // The third is a copy of the first; times and angles are typed.
  await teacher.select(1);
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+v');
  await teacher.untilRows(3);
  await teacher.type('Time', 2, '0.8');
  await teacher.type('lf_hip_pitch', 2, '-0.3');
  await teacher.type('lf_knee', 2, '0.25');
  await teacher.untilColumn('lf_knee', [expect.any(Number), 0.25, expect.any(Number)]);

  // Another pose is kept for later: after the end marker, and off.
  await teacher.type('Time', 3, '2');
  await teacher.addPose();
  await teacher.row(3).getByRole('button', { name: 'End at waypoint 3' }).click();
  await expect.poll(() => teacher.row(3).getByRole('button', { name: 'End at waypoint 3' }).getAttribute('aria-pressed')).toBe('true');
  await teacher.row(4).getByRole('switch').click();
  await expect.poll(() => teacher.row(4).getByRole('switch').isChecked()).toBe(false);

  // The ghost is where the selected row is.
  await teacher.select(1);
  await expect.poll(() => bench.ghostPosition('quadruped::lf_shank')).toBeDefined();
  const first = await bench.ghostPosition('quadruped::lf_shank');
  await teacher.select(2);
  await expect.poll(() => bench.ghostPosition('quadruped::lf_shank')).not.toEqual(first);
  await page.getByRole('tree', { name: 'Entities' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('f');
  await bench.picture('teach');
  await teacher.panel.focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => bench.ghostPosition('quadruped::lf_shank')).toBeUndefined();
}

/** The virtual robot first; the real one once it is armed, forward and backward. */
async function executeOnBoth(bench: Workbench, teacher: Teacher): Promise<void> {
  await teacher.execute('Execute virtual');
  await expect.poll(() => teacher.row(3).getByRole('img', { name: 'The virtual robot is here' }).count()).toBe(1);
  await bench.picture('teach-done');

  // Not before somebody has armed it.
  expect(await bench.button('Execute real').isDisabled()).toBe(true);
  await bench.button('Arm the real robot').click();
  await teacher.panel.getByText(/^Armed by/u).waitFor();
  await teacher.execute('Execute real');
  await expect.poll(() => teacher.row(3).getByRole('img', { name: 'The real robot is here' }).count()).toBe(1);
  await teacher.execute('Execute real backward');
  await expect.poll(() => teacher.row(1).getByRole('img', { name: 'The real robot is here' }).count()).toBe(1);
  await bench.picture('teach-real');
  await teacher.addPose('real');
  await teacher.panel.getByRole('button', { name: 'Delete waypoint 5' }).click();
  await teacher.untilRows(4);
  await bench.button('Disarm the real robot').click();
  await teacher.panel.getByText('Not armed').waitFor();
}

async function saveAndPlay(bench: Workbench, teacher: Teacher): Promise<void> {
  const { page } = bench;
  const times = await teacher.column('Time');
  await page.getByRole('slider', { name: 'Speed', exact: true }).focus();
  await page.getByRole('slider', { name: 'Speed', exact: true }).fill(String(Math.log(2)));
  await bench.button('Apply the speed to all times').click();
  await teacher.untilColumn('Time', times.map((time) => time / 2));
  await page.keyboard.press('Control+z');
  await teacher.untilColumn('Time', times);

  await (await teacher.saveAs('lift_paw')).waitFor({ state: 'detached' });
  const file = path.join(lesson.motions, 'lift_paw.motion.toml');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('joints = ["lf_hip_pitch", "lf_knee"]');
  // The whole table is written, the disabled row and the joints that stay included.
  expect(text.match(/time = /gu)).toHaveLength(4);
  expect(text).toContain('enabled = false');
  expect(text).toContain('kept = [');

  // The page keeps which panel was open, the host the draft.
  await page.reload();
  await bench.connected();
  await teacher.untilRows(4);
  await bench.button('New motion').click();
  await teacher.panel.getByText('No waypoints yet').first().waitFor();
  await bench.button('Load a motion…').click();
  const dialog = page.getByRole('dialog', { name: 'Load a motion' });
  await bench.picture('teach-load');
  await dialog.getByRole('button', { name: 'Load lift_paw' }).click();
  await teacher.untilRows(4);
  await teacher.untilColumn('Time', times);

  const played = await retake('motion', 'play', 'lift_paw', '--speed', '2');
  expect(played).toContain('lift_paw');
}
