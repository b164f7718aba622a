import { expect, it } from 'vitest';

import type { FieldEdit } from '../../commands/setComponent';
import { tableOf } from '../../world/testing';
import { EditSender } from './editSender.svelte';
import type { EditorRow } from './section';

const [field] = tableOf([{ component: 'surface', path: 'friction.mu', type: 'number', kinds: ['collision'] }]).fields;

function rowAt(mirror: number): EditorRow {
  if (field === undefined) {
    throw new Error('the table has a field');
  }
  const value = { type: 'number' as const, number: mirror };
  return { kind: 'editor', key: 'k', entity: 4, label: '', name: '', field, path: field.path, unit: '', mirror: value, first: undefined, multiline: false, options: [] };
}

const number = (value: number) => ({ type: 'number' as const, number: value });

/** A server that answers when it is told to. */
class Answers {
  readonly sent: FieldEdit[] = [];
  private readonly waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];

  send = (edit: FieldEdit): Promise<void> => {
    this.sent.push(edit);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  };

  async agree(): Promise<void> {
    this.waiting.shift()?.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }

  async refuse(reason: string): Promise<void> {
    this.waiting.shift()?.reject(new Error(reason));
    await Promise.resolve();
    await Promise.resolve();
  }
}

it('sends one field, shows it at once, and lets go when the mirror has it', async () => {
  const answers = new Answers();
  const edits = new EditSender(answers.send);
  edits.wish(rowAt(1), number(2));
  expect(answers.sent).toEqual([{ entity: 4, component: 'surface', path: 'friction.mu', value: number(2), gesture: '' }]);
  expect([edits.shown(rowAt(1)), edits.waiting('k')]).toEqual([number(2), true]);
  await answers.agree();
  expect([edits.shown(rowAt(1)), edits.waiting('k')]).toEqual([number(2), false]);
  edits.follow(rowAt(2));
  // An undo brings the old value back, which shows as it is.
  expect(edits.shown(rowAt(1))).toEqual(number(1));
});

it('keeps what the server said until the next edit', async () => {
  const answers = new Answers();
  const edits = new EditSender(answers.send);
  edits.wish(rowAt(1), number(-1));
  await answers.refuse('too low');
  expect([edits.shown(rowAt(1)), edits.reason('k')]).toEqual([number(1), 'too low']);
  edits.wish(rowAt(1), number(3));
  expect([edits.shown(rowAt(1)), edits.reason('k')]).toEqual([number(3), undefined]);
});

it('marks only the numbers that were refused', async () => {
  const answers = new Answers();
  const edits = new EditSender(answers.send);
  const wrong = () => ['x', 'y', 'z'].filter((part) => edits.isWrong('k', part));
  edits.wish(rowAt(1), number(-1), { part: 'y' });
  expect(wrong()).toEqual([]);
  await answers.refuse('too low');
  expect(wrong()).toEqual(['y']);
  edits.refuse(rowAt(1), 'no number', 'z');
  expect(wrong()).toEqual(['z']);
  edits.refuse(rowAt(1), 'no number');
  expect(wrong()).toEqual(['x', 'y', 'z']);
  edits.wish(rowAt(1), number(-1));
  expect(wrong()).toEqual([]);
  await answers.refuse('too low');
  expect(wrong()).toEqual(['x', 'y', 'z']);
});

it('tells what cannot be sent although an answer is outstanding', async () => {
  const answers = new Answers();
  const edits = new EditSender(answers.send);
  edits.wish(rowAt(1), number(2));
  edits.refuse(rowAt(1), 'no number');
  expect([edits.shown(rowAt(1)), edits.reason('k')]).toEqual([number(2), 'no number']);
  await answers.agree();
  expect(edits.reason('k')).toBe('no number');
  edits.wish(rowAt(2), number(4));
  expect(edits.reason('k')).toBeUndefined();
});
