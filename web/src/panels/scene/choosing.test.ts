import { expect, it } from 'vitest';

import type { EntityId } from '../../world/entity';
import { stateOf } from '../../world/testing';
import { World } from '../../world/world';
import { Choosing, isIn, rectangleOf, type ChoosingContext } from './choosing';
import type { SceneEngine } from './engine';
import type { Pointing } from './pointing';

/** Three models in a row, one metre and a hundred pixels apart; the pointer picks by its x. */
function setUp(): { choosing: Choosing; selected: () => readonly EntityId[] } {
  const world = new World();
  const models = [10, 20, 30];
  world.apply(stateOf({
    1: { kind: 'world', name: 'w' },
    ...Object.fromEntries(models.flatMap((id, n) => [
      [id, { kind: 'model', name: `m${n}`, parent: 1 }],
      [id + 1, { kind: 'link', name: 'l', parent: id }],
      [id + 2, { kind: 'visual', name: 'v', parent: id + 1 }],
    ])),
  }));
  const engine = {
    sight: {
      pick: (x: number) => (x < 0 ? undefined : { visual: Math.round(x) + 2, point: [0, 0, 0], normal: [0, 0, 1] }),
      screenOf: ([x]: readonly number[]) => [(x ?? 0) * 100, 50],
    },
    extents: { thingBounds: (id: EntityId) => ({ min: [id / 10, 0, 0], max: [id / 10, 0, 1] }) },
  } as unknown as SceneEngine;
  let selection: readonly EntityId[] = [];
  const context: ChoosingContext = {
    engine: () => engine,
    world,
    selection: () => selection,
    onselect: (ids) => {
      selection = ids;
    },
    changed: () => undefined,
  };
  return { choosing: new Choosing(context), selected: () => selection };
}

function at(px: number, keys: Partial<Pointing> = {}): Pointing {
  return { x: px, y: 0, px, py: px, ctrl: false, shift: false, ...keys };
}

it('a click selects a model, a second one its link, a click on nothing nothing', () => {
  const { choosing, selected } = setUp();
  choosing.click(at(10));
  expect(selected()).toEqual([10]);
  choosing.click(at(10));
  expect(selected()).toEqual([11]);
  choosing.click(at(-5));
  expect(selected()).toEqual([]);
});

it('with Ctrl or Shift a click adds and takes away', () => {
  const { choosing, selected } = setUp();
  choosing.click(at(10));
  choosing.click(at(20, { ctrl: true }));
  choosing.press(at(30, { shift: true }));
  choosing.release(at(30, { shift: true }));
  expect(selected()).toEqual([10, 20, 30]);
  choosing.click(at(20, { ctrl: true }));
  expect(selected()).toEqual([10, 30]);
});

it('a box selects what has its middle in it', () => {
  const { choosing, selected } = setUp();
  expect(choosing.press(at(10))).toBe(false);
  expect(choosing.press(at(0, { shift: true }))).toBe(true);
  choosing.drag(at(250, { shift: true }));
  choosing.release(at(250, { shift: true }));
  expect(selected()).toEqual([10, 20]);
});

it('a box that is called off selects nothing', () => {
  const { choosing, selected } = setUp();
  choosing.press(at(0, { shift: true }));
  choosing.drag(at(250, { shift: true }));
  expect(choosing.cancel()).toBe(true);
  expect(selected()).toEqual([]);
});

it('a box has its corners in any order', () => {
  expect(rectangleOf({ px: 9, py: 2 }, { px: 1, py: 7 })).toEqual({ left: 1, top: 2, width: 8, height: 5 });
  expect(isIn({ left: 1, top: 2, width: 8, height: 5 }, [9, 7])).toBe(true);
  expect(isIn({ left: 1, top: 2, width: 8, height: 5 }, [10, 7])).toBe(false);
});
