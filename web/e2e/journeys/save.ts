/** A person saves what was edited into the world's file, and is told what happened. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

import { ownFolder } from '../harness/folders';
import { journeyOn } from '../harness/journey';
import { REPO, Server } from '../harness/server';

let file: string;

const journey = journeyOn(() => {
  file = path.join(ownFolder('save'), 'course.sdf');
  copyFileSync(path.join(REPO, 'worlds/cones.sdf'), file);
  return Server.open(file);
});

it('File and Save, or Ctrl+S, write the edits and nothing else; a file that others changed is left alone', async () => {
  const before = readFileSync(file, 'utf8');
  const bench = await journey.open();
  await bench.row('cone_1').click();
  await bench.set('Position x', '1.2345');
  await bench.untilField('Position x', '1.2345');
  await bench.page.getByRole('menuitem', { name: 'File', exact: true }).click();
  await bench.page.getByRole('menuitem', { name: 'Save world', exact: true }).click();
  await bench.told(/^Saved/u);
  const saved = readFileSync(file, 'utf8');
  expect(saved).toContain('1.2345');
  const changed = saved.split('\n').filter((line, n) => line !== before.split('\n')[n]);
  expect(changed.length).toBe(1);

  await bench.set('Position x', '2.3456');
  await bench.untilField('Position x', '2.3456');
  await bench.page.keyboard.press('Control+s');
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('2.3456');

  writeFileSync(file, `${saved}<!-- by somebody else -->\n`);
  await bench.page.keyboard.press('Control+s');
  await bench.told(/course\.sdf was changed by someone else/u);
  expect(readFileSync(file, 'utf8')).toContain('by somebody else');
  await bench.close();
});
