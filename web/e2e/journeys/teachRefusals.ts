/** What the motion panel refuses, as a person reads it; the host and the robot are real. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';
import { quadrupedLesson, type Lesson } from '../harness/lesson';
import { Server } from '../harness/server';
import { Teacher } from '../harness/teacher';

let lesson: Lesson;

const journey = journeyOn(() => {
  lesson = quadrupedLesson();
  writeFileSync(path.join(lesson.motions, 'fly.motion.toml'), 'format = 1\njoints = ["wing"]\nwaypoints = [{ time = 0.0, positions = [0.0] }]\n');
  return Server.open(lesson.world);
});

it('says why, changes nothing, and asks before anything is lost', async () => {
  const bench = await journey.open('light');
  const { page } = bench;
  const teacher = new Teacher(bench);
  await teacher.begin();
  for (let poses = 0; poses < 3; poses += 1) {
    await teacher.addPose();
  }
  await teacher.untilColumn('Time', [0, 1, 2]);

  // Times out of order.
  await teacher.type('Time', 1, '1.5');
  await bench.told(/keep each between its neighbours/u);
  await bench.picture('teach-refused');
  await teacher.untilColumn('Time', [0, 1, 2]);
  // A marked row cannot be off.
  await teacher.row(1).getByRole('switch').click();
  await bench.told(/is the start of what is played/u);
  expect(await teacher.row(1).getByRole('switch').isChecked()).toBe(true);
  // The start is before the end.
  await teacher.row(3).getByRole('button', { name: 'Start at waypoint 3' }).click();
  await bench.told(/would not be before the end/u);
  expect(await teacher.row(1).getByRole('button', { name: 'Start at waypoint 1' }).getAttribute('aria-pressed')).toBe('true');

  // A motion of another robot.
  await bench.button('Load a motion…').click();
  const loading = page.getByRole('dialog', { name: 'Load a motion' });
  await loading.getByRole('button', { name: 'Load fly' }).click();
  await loading.getByRole('button', { name: 'Lose changes and load' }).click();
  await loading.getByText(/"wing"/u).waitFor();
  await bench.picture('teach-refused-joint');
  await page.keyboard.press('Escape');
  await teacher.untilRows(3);

  // A name that is taken is asked about, and a file that is read-only stays as it is.
  const nod = path.join(lesson.motions, 'nod.motion.toml');
  const before = readFileSync(nod, 'utf8');
  chmodSync(nod, 0o444);
  const saving = await teacher.saveAs('nod');
  await saving.getByText('There is a motion named nod already. Replace it?').waitFor();
  await saving.getByRole('button', { name: 'Replace' }).click();
  await saving.getByText(/may not be written: it is read-only/u).waitFor();
  await bench.picture('teach-refused-file');
  expect(readFileSync(nod, 'utf8')).toBe(before);
  await saving.getByRole('button', { name: 'Cancel' }).click();
  // Nor does a name that leads elsewhere do, or a folder that is gone: what was taught stays.
  const strange = await teacher.saveAs('../up');
  await strange.getByText(/cannot be the name of a file/u).waitFor();
  await strange.getByRole('button', { name: 'Cancel' }).click();
  rmSync(lesson.motions, { recursive: true });
  const lost = await teacher.saveAs('paw');
  await lost.getByText(/<trajectories_path>/u).waitFor();
  await lost.getByRole('button', { name: 'Cancel' }).click();
  await teacher.untilRows(3);
  await teacher.panel.getByText('unsaved').waitFor();
  await bench.close();
});
