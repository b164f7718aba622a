import { expect, it } from 'vitest';

import { OwnJumps } from './ownJumps';

const undo = { author: 'page 1', cause: 'undo' };

it('claims as many jumps as were asked for', () => {
  const own = new OwnJumps();
  own.name = 'page 1';
  own.expect('undo');
  own.expect('undo');
  expect([own.claim(undo), own.claim(undo), own.claim(undo)]).toEqual([true, true, false]);
});

it('leaves the jumps of others and of other causes alone', () => {
  const own = new OwnJumps();
  own.name = 'page 1';
  own.expect('undo');
  expect(own.claim({ ...undo, author: 'page 2' })).toBe(false);
  expect(own.claim({ ...undo, cause: 'reset' })).toBe(false);
  expect(own.claim(undo)).toBe(true);
});

it('does not claim what was refused', () => {
  const own = new OwnJumps();
  own.name = 'page 1';
  own.expect('undo');
  own.forget('undo');
  own.forget('undo');
  expect(own.claim(undo)).toBe(false);
});
