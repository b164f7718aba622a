/** A copy of a robot's world, so that what is saved does not end up among the project's motions. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { ownFolder } from './folders';
import { REPO } from './server';

export interface Lesson {
  /** The copied world. */
  readonly world: string;
  /** Where its robot keeps motions. */
  readonly motions: string;
}

/** Copies the quadruped with its motions and sounds; the world may be called otherwise. */
export function quadrupedLesson(name = 'quadruped'): Lesson {
  const folder = ownFolder('lesson');
  const worlds = path.join(REPO, 'worlds');
  const motions = path.join(folder, 'motions/quadruped');
  cpSync(path.join(worlds, 'motions/quadruped'), motions, { recursive: true });
  cpSync(path.join(worlds, 'sounds'), path.join(folder, 'sounds'), { recursive: true });
  const text = readFileSync(path.join(worlds, 'quadruped.sdf'), 'utf8');
  const world = path.join(folder, `${name}.sdf`);
  writeFileSync(world, text.replace('<world name="quadruped">', `<world name="${name}">`));
  return { world, motions };
}
