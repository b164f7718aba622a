import { expect, it } from 'vitest';

import { PointerChain, type Pointing, type PointerTool } from './pointing';

function at(px: number): Pointing {
  return { x: 0, y: 0, px, py: 0, ctrl: false, shift: false };
}

function tool(name: string, log: string[], takes: boolean): PointerTool {
  return {
    press: () => takes,
    drag: ({ px }) => log.push(`${name} drag ${px}`),
    release: () => log.push(`${name} release`),
    hover: () => log.push(`${name} hover`),
    click: () => log.push(`${name} click`) > 0,
    cancel: () => log.push(`${name} cancel`) > 0,
  };
}

it('gives the pointer to the first tool that takes it, until it is let go of', () => {
  const log: string[] = [];
  const chain = new PointerChain([tool('a', log, false), tool('b', log, true)]);
  chain.move(at(0));
  expect(chain.press(at(0))).toBe(true);
  chain.move(at(9));
  chain.release(at(9));
  expect(log).toEqual(['a hover', 'b hover', 'b drag 9', 'b release']);
});

it('a click goes to the first that wants it, a drag of the camera to nobody', () => {
  const log: string[] = [];
  const chain = new PointerChain([tool('a', log, false), tool('b', log, false)]);
  chain.press(at(0));
  chain.release(at(3));
  chain.press(at(0));
  chain.release(at(30));
  expect(log).toEqual(['a click']);
});

it('what is in hand goes back when the pointer is lost', () => {
  const log: string[] = [];
  const chain = new PointerChain([tool('a', log, true)]);
  chain.press(at(0));
  chain.lose();
  chain.release(at(0));
  expect(log).toEqual(['a cancel']);
});
