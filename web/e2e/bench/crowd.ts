/** A world in which a given number of bodies moves in every step: they fall, very slowly. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Metres between two bodies. */
export const SPACING = 0.4;
export const EDGE = 0.2;
const COLORS = ['0.85 0.35 0.25', '0.3 0.55 0.85', '0.4 0.7 0.4', '0.85 0.7 0.3'] as const;

/** Returns the file of a world with so many boxes. */
export function crowd(count: number): string {
  const side = Math.ceil(Math.sqrt(count));
  const bodies = Array.from({ length: count }, (_, n) => body(n, (n % side) - side / 2, Math.floor(n / side) - side / 2));
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'retake-bench-')), `crowd_${count}.sdf`);
  writeFileSync(file, `<?xml version="1.0"?>
<sdf version="1.11"><world name="crowd_${count}">
  <physics name="default" default="true" type="rapier"><max_step_size>0.004</max_step_size><real_time_factor>1</real_time_factor></physics>
  <gravity>0 0 -0.001</gravity>
  <light name="sun" type="directional"><pose>0 0 10 0 0 0</pose><diffuse>1 0.96 0.9 1</diffuse><direction>-0.5 0.35 -0.9</direction><cast_shadows>true</cast_shadows></light>
  <model name="ground"><static>true</static><link name="link"><visual name="plane"><geometry><plane><normal>0 0 1</normal><size>60 60</size></plane></geometry></visual></link></model>
  ${bodies.join('\n  ')}
</world></sdf>
`);
  return file;
}

function body(n: number, x: number, y: number): string {
  const box = `<geometry><box><size>${EDGE} ${EDGE} ${EDGE}</size></box></geometry>`;
  const color = `${COLORS[n % COLORS.length] ?? COLORS[0]} 1`;
  // What rests is not sent; these are never thought to rest.
  return `<model name="b${n}"><pose>${x * SPACING} ${y * SPACING} 2 0 0 ${(n % 10) / 10}</pose><allow_auto_disable>false</allow_auto_disable><link name="l"><collision name="c">${box}</collision><visual name="v">${box}<material><diffuse>${color}</diffuse></material></visual></link></model>`;
}
