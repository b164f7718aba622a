import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { EditBody } from '../../../world/teaching';
import { action, joint, motion, point } from './fixtures';
import { agrees, editBetween, keysMove, motionWith, movedInTime, movedInValue, Mover, nudgeEdit, type Move } from './moves';

const [first, second, third] = [point('1', 0), point('2', 1), point('3', 2)];
const points = [first, second, third];

function keys(...ids: string[]): Extract<Move, { kind: 'keys' }> {
  const move = keysMove(points, new Set(ids), second);
  if (move.kind !== 'keys') {
    throw new Error('keys make a move of keys');
  }
  return move;
}

describe('a drag in time', () => {
  it('puts the key in hand on hundredths, and the others along with it', () => {
    expect(movedInTime(keys('2'), 0.1234, false)).toBeCloseTo(0.12, 9);
    expect(movedInTime(keys('2'), 0.1234, true)).toBeCloseTo(0.1234, 9);
  });

  it('stops at the neighbours, and an action at 0', () => {
    expect(movedInTime(keys('2'), 9, false)).toBeCloseTo(0.99, 9);
    expect(movedInTime({ kind: 'action', action: action('9', 1) }, -3, false)).toBe(0);
  });

  it('sets the time of one, and moves several', () => {
    expect(editBetween(keys('2'), 0.1, 0.3)).toEqual({ case: 'time', value: { id: 2n, time: 1.3 } });
    expect(editBetween(keys('2', '3'), 0.1, 0.3)).toEqual({ case: 'moveWaypoints', value: { id: [2n, 3n], by: 0.2 } });
  });

  it('keeps all else of an action', () => {
    expect(editBetween({ kind: 'action', action: action('9', 1, 'eyes/emotion', 'happy') }, 1, 2)).toEqual({
      case: 'setAction', value: { id: 9n, time: 2, command: { type: 'eyes/emotion', command: 'happy', options: '' } },
    });
  });
});

describe('a drag of a value', () => {
  const move = { kind: 'position', id: '2', joint: joint('elbow'), from: 0 } as const;

  it('keeps to round numbers and to the limits, unless it is to be free', () => {
    expect(movedInValue(move, 0.1234, 0.05, false)).toBe(0.1);
    expect(movedInValue(move, 5, 0.05, false)).toBe(1);
    expect(movedInValue(move, 5.03, 0.05, true)).toBe(5.03);
    expect(movedInValue({ ...move, joint: joint('wheel', { continuous: true }) }, 5.03, 0.05, false)).toBe(5.05);
  });

  it('edits one joint of one waypoint', () => {
    expect(editBetween(move, 0, 0.5)).toEqual({ case: 'position', value: { id: 2n, joint: 'elbow', position: 0.5 } });
  });
});

describe('arrow keys', () => {
  it('move as far as there is room, and else nothing', () => {
    expect(nudgeEdit(points, new Set(['2']), 0.05)).toEqual({ case: 'moveWaypoints', value: { id: [2n], by: 0.05 } });
    expect(nudgeEdit(points, new Set(['1']), -0.05)).toBeUndefined();
    expect(nudgeEdit(points, new Set(), 0.05)).toBeUndefined();
    expect(nudgeEdit(points, new Set(['gone']), 0.05)).toBeUndefined();
  });
});

describe('what the host is told', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function mover(move: Move): { mover: Mover; sent: EditBody[]; strokes: Set<string> } {
    const sent: EditBody[] = [];
    const strokes = new Set<string>();
    return { sent, strokes, mover: new Mover(move, 'stroke', (edit, stroke) => {
      sent.push(edit);
      strokes.add(stroke);
    }) };
  }

  /** What all steps together move by. */
  function sum(sent: readonly EditBody[]): number {
    return sent.reduce((total, edit) => total + (edit.case === 'moveWaypoints' ? edit.value.by ?? 0 : Number.NaN), 0);
  }

  it('is the first step at once, then one in a while, and the last', () => {
    const { mover: moving, sent, strokes } = mover(keys('2', '3'));
    for (let step = 1; step <= 10; step += 1) {
      moving.to(step / 100);
    }
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(60);
    expect(sent).toHaveLength(2);
    moving.to(0.5);
    moving.finish();
    expect(sum(sent)).toBeCloseTo(0.5, 9);
    expect(strokes).toEqual(new Set(['stroke']));
    vi.advanceTimersByTime(1000);
    expect(sent).toHaveLength(3);
  });

  it('takes all back when the drag is given up', () => {
    const { mover: moving, sent } = mover(keys('2', '3'));
    moving.to(0.2);
    moving.to(0.4);
    moving.cancel();
    expect(sum(sent)).toBeCloseTo(0, 9);
    expect(moving.at).toBe(0);
  });

  it('is nothing when nothing moved', () => {
    const { mover: moving, sent } = mover(keys('2'));
    moving.finish();
    expect(sent).toEqual([]);
  });
});

describe('what is shown', () => {
  it('is the motion with the move, until the host has told it', () => {
    const told = motion(points, { actions: [action('9', 1)] });
    const later = { move: keys('2', '3'), at: 0.25, began: told };
    expect(motionWith(told, later).waypoints.map(({ time }) => time)).toEqual([0, 1.25, 2.25]);
    expect(agrees(told, later)).toBe(false);
    // A step that the host told already is not added a second time.
    const half = motion([first, point('2', 1.125), point('3', 2.125)]);
    expect(motionWith(half, later).waypoints.map(({ time }) => time)).toEqual([0, 1.25, 2.25]);
    expect(agrees(motion([first, point('2', 1.25), point('3', 2.25)]), later)).toBe(true);
  });

  it('is the value of a joint, or the time of an action', () => {
    const told = motion(points, { actions: [action('9', 1)] });
    const raised = motionWith(told, { move: { kind: 'position', id: '2', joint: joint('elbow'), from: 0 }, at: 0.7, began: told });
    expect(raised.waypoints[1]?.positions).toEqual([0, 0.7]);
    expect(motionWith(told, { move: { kind: 'action', action: action('9', 1) }, at: 3, began: told }).actions[0]?.time).toBe(3);
    const unknown = { move: { kind: 'position', id: '2', joint: joint('gone'), from: 0 }, at: 1, began: told } as const;
    expect(motionWith(told, unknown).waypoints).toEqual(points);
  });
});
