import { expect, it } from 'vitest';

import { placed } from './captions';

const caption = (number: number, player: number) => ({ number, player, text: `${number}` });

it('stacks the captions of a robot above it, the newest lowest', () => {
  const seen = placed([caption(1, 7), caption(2, 8), caption(3, 7)], (player) => [player * 10, 300], [800, 600]);
  expect(seen.map(({ number, x, y }) => [number, x, y])).toEqual([[3, 70, 300], [2, 80, 300], [1, 70, 268]]);
});

it('keeps captions inside the view, also those of robots out of sight', () => {
  const [beside] = placed([caption(1, 7)], () => [5000, -40], [800, 600]);
  expect([beside?.x, beside?.y]).toEqual([680, 80]);
  const [lost] = placed([caption(1, 7)], () => undefined, [800, 600]);
  expect([lost?.x, lost?.y]).toEqual([12, 96]);
});

it('keeps captions below the tools of the view, none on another, and the robot in sight', () => {
  const said = [caption(1, 7), caption(2, 7), caption(3, 7)];
  const at = (y: number) => placed(said, () => [70, y], [800, 600]).map(({ number, y: low }) => [number, low]);
  expect(at(150)).toEqual([[3, 150], [2, 118], [1, 86]]);
  expect(at(60)).toEqual([[3, 112], [2, 80]]);
});
