import { expect, it } from 'vitest';

import { compose, quatOfRollPitchYaw, rotate, type Pose } from '../../../lib/pose';
import { placeInWorld, placeOn, shortestTurn, snappedPose } from './snap';

const TURNED: Pose = { position: [1, 2, 3], rotation: quatOfRollPitchYaw([0.4, -0.3, 1.2]) };

it('goes into the frame of an entity and back', () => {
  const place = { point: [4, 5, 6], normal: [0, 0, 1] } as const;
  const back = placeInWorld(placeOn(7, TURNED, place), TURNED);
  back.point.forEach((value, n) => {
    expect(value).toBeCloseTo(place.point[n] ?? 0);
  });
  expect(back.normal[2]).toBeCloseTo(1);
});

it('lays the places against one another', () => {
  const from = { point: [1, 2, 4], normal: [1, 0, 0] } as const;
  const to = { point: [0, 0, 1], normal: [0, 0, 1] } as const;
  const there = snappedPose(TURNED, from, to);
  const onThing = placeOn(7, TURNED, from);
  const at = compose(there, { position: onThing.point, rotation: [0, 0, 0, 1] }).position;
  at.forEach((value, n) => {
    expect(value).toBeCloseTo(to.point[n] ?? 0);
  });
  expect(rotate(there.rotation, onThing.normal)[2]).toBeCloseTo(-1);
});

it('turns directions that are opposite as well', () => {
  for (const from of [[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const) {
    const to = from.map((part) => -part) as unknown as typeof from;
    rotate(shortestTurn(from, to), from).forEach((value, n) => {
      expect(value).toBeCloseTo(to[n] ?? 0);
    });
  }
  expect(shortestTurn([0, 0, 1], [0, 0, 1])).toEqual([0, 0, 0, 1]);
});
