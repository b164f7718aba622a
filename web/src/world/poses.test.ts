import { expect, it } from 'vitest';

import { entityIdOf } from './entity';
import { PoseStore } from './poses';
import { World } from './world';

const BOX = entityIdOf(2n);
const POSES = new Float32Array([1, 2, 3, 0, 0, 0, 1]);

it('tells the time of the present only, whatever the page looks back at', () => {
  const poses = new PoseStore(new World());
  expect(poses.presentSecs).toBeUndefined();
  poses.useSet(7, [BOX]);
  poses.useFrame({ setId: 7, simTimeSecs: 2, poses: POSES });
  expect(poses.presentSecs).toBe(2);
  poses.useSet(2 ** 31 + 1, [BOX]);
  poses.useFrame({ setId: 2 ** 31 + 1, simTimeSecs: 0.5, poses: POSES });
  expect(poses.latest).toBe(POSES);
  expect(poses.presentSecs).toBeUndefined();
  poses.useSet(7, [BOX]);
  poses.useFrame({ setId: 7, simTimeSecs: 2.5, poses: POSES });
  expect(poses.presentSecs).toBe(2.5);
});
