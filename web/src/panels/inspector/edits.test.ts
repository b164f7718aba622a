import { expect, it } from 'vitest';

import type { FieldValue } from '../../world/fieldValue';
import { agreed, hasFollowed, noEntries, refused, shownValue, wished, withEntry, type FieldEdit, type Step } from './edits';

const of = (number: number): FieldValue => ({ type: 'number', number });
const wish = (number: number, gesture = '') => ({ value: of(number), gesture, parts: [] });
const numberOf = (value: FieldValue) => (value.type === 'number' ? value.number : undefined);

/** What is shown and what is sent after a step, with the mirror at a number. */
function check({ edit, send }: Step, mirror: number): [number | undefined, number | undefined] {
  return [numberOf(shownValue(edit, of(mirror))), send && numberOf(send.value)];
}

it('shows the wish until the mirror has followed', () => {
  const asked = wished(undefined, wish(2), of(1));
  expect(check(asked, 1)).toEqual([2, 2]);
  const done = agreed(asked.edit);
  expect(check(done, 1)).toEqual([2, undefined]);
  expect(check(done, 2)).toEqual([2, undefined]);
  expect(check(done, 3)).toEqual([3, undefined]);
});

it('sends nothing that is already so', () => {
  expect(wished(undefined, wish(1), of(1))).toEqual({ edit: undefined, send: undefined });
});

it('snaps back with the reason, which stands until the next edit', () => {
  const asked = wished(undefined, wish(-1), of(1));
  const back = refused(asked.edit, 'too low');
  expect(back.edit).toEqual({ state: 'refused', reason: 'too low', parts: [] });
  expect(check(back, 1)).toEqual([1, undefined]);
  expect(wished(back.edit, wish(1), of(1)).edit).toBeUndefined();
  expect(check(wished(back.edit, wish(2), of(1)), 1)).toEqual([2, 2]);
});

it('lets only the last wish of a drag wait', () => {
  let edit: FieldEdit | undefined = wished(undefined, wish(2, 'g'), of(1)).edit;
  for (const number of [3, 4, 5]) {
    const step = wished(edit, wish(number, 'g'), of(1));
    expect(check(step, 1)).toEqual([number, undefined]);
    edit = step.edit;
  }
  const next = agreed(edit);
  expect(next.send).toEqual(wish(5, 'g'));
  const done = agreed(next.edit);
  // The mirror may show one in between for a moment; the field does not.
  expect([1, 2, 5, 6].map((mirror) => check(done, mirror)[0])).toEqual([5, 5, 5, 6]);
  expect([1, 2, 5, 6].map((mirror) => hasFollowed(done.edit, of(mirror)))).toEqual([false, false, true, true]);
});

it('gives the wish behind a refused one its own chance', () => {
  const waiting = wished(wished(undefined, wish(-1), of(1)).edit, wish(2), of(1)).edit;
  const step = refused(waiting, 'too low');
  expect(check(step, 1)).toEqual([2, 2]);
  expect(check(refused(step.edit, 'too high'), 1)).toEqual([1, undefined]);
});

it('knows which numbers were changed by what is refused', () => {
  const part = (number: number, ...parts: string[]) => ({ ...wish(number), parts });
  const partsOf = ({ edit }: Step) => (edit?.state === 'refused' ? edit.parts : undefined);
  expect(partsOf(refused(wished(undefined, part(2, 'x'), of(1)).edit, 'no'))).toEqual(['x']);
  const drag = [part(3, 'y'), part(4, 'z')].reduce((edit, next) => wished(edit, next, of(1)).edit, wished(undefined, part(2, 'x'), of(1)).edit);
  // What was agreed to is not what is wrong.
  expect(partsOf(refused(agreed(drag).edit, 'no'))).toEqual(['y', 'z']);
  expect(partsOf(refused(refused(drag, 'no').edit, 'no'))).toEqual(['x', 'y', 'z']);
});

it('ignores answers that nobody waits for', () => {
  expect(agreed(undefined)).toEqual({ edit: undefined, send: undefined });
});

it('remembers a bounded number of fields', () => {
  let fields = noEntries<number>();
  for (let i = 0; i < 250; i += 1) {
    fields = withEntry(fields, String(i), i);
  }
  expect(fields.size).toBe(200);
  expect(withEntry(fields, '249', undefined).has('249')).toBe(false);
  expect(withEntry(fields, '200', 7).size).toBe(200);
});
