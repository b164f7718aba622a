import { expect, it } from 'vitest';

import type { Sender } from '../../commands/send';
import type { EditBody } from '../../world/teaching';
import { Desk } from './desk.svelte';
import type { MotionHost } from './host';
import { only, these } from './selection';
import { draftWith, pointWith } from './testing';
import { MotionViews } from './views.svelte';

function desk({ refused, made = [] }: { refused?: string; made?: readonly bigint[] } = {}) {
  const draft = draftWith({ waypoints: [pointWith('1', 0), pointWith('2', 1), pointWith('3', 2)] });
  const edits: EditBody[] = [];
  const said: string[] = [];
  const answer = <T>(value: T): Promise<T> => (refused === undefined ? Promise.resolve(value) : Promise.reject(new Error(refused)));
  // Only what the commands read of a reply.
  const reply = { teach: { made: [...made], finding: [{ text: 'too fast' }] } } as unknown as Awaited<ReturnType<Sender['request']>>;
  const host: MotionHost = {
    robots: [], drafts: [draft], known: true, live: undefined, ghost: undefined, ghostProblem: undefined,
    sender: { request: () => answer(reply) },
    watch: () => undefined,
    show: () => undefined,
    edit: (_robot, edit) => {
      edits.push(edit);
      return answer(made.map(String));
    },
    jointsOf: () => [],
    list: () => answer({ folders: [], motions: [], problems: [], groups: [] }),
  };
  const views = new MotionViews();
  const shown = new Desk(host, views, () => ({ robot: 'arm', draft }), (level, text) => said.push(`${level}: ${text}`));
  return { desk: shown, draft, views, edits, said };
}

it('selects what it made, and looks there', async () => {
  const { desk: one, views } = desk({ made: [9n] });
  views.cursorSecs = 0.5;
  await one.addPose('virtual');
  expect([[...views.selection.ids], views.cursorSecs]).toEqual([['9'], undefined]);
});

it('keeps the refusal of an execution for its button, until the next', async () => {
  const { desk: one, said } = desk({ refused: 'too far from the start' });
  await one.execute('real');
  expect([one.refusal('real'), one.refusal('virtual'), said]).toEqual(['too far from the start', undefined, []]);
  await one.stop('real');
  expect(said).toEqual(['error: too far from the start']);
});

it('makes the speed of the slider the taught one', async () => {
  const { desk: one, views, edits } = desk();
  views.speed = 2;
  await one.applySpeed();
  expect([edits, views.speed]).toEqual([[{ case: 'scaleSpeed', value: 2 }], 1]);
  const refused = desk({ refused: 'no' });
  refused.views.speed = 2;
  await refused.desk.applySpeed();
  expect(refused.views.speed).toBe(2);
});

it('copies, pastes and deletes what is selected', async () => {
  const { desk: one, views, edits, said } = desk();
  one.copy();
  await one.paste();
  await one.deletePoints();
  expect([edits, said]).toEqual([[], []]);
  views.selection = these(new Set(['3', '2']), ['1', '2', '3']);
  one.copy();
  await one.paste();
  await one.deletePoints();
  expect(said).toEqual(['info: Copied 2 waypoints']);
  expect(edits).toMatchObject([{ case: 'paste', value: { at: 3 } }, { case: 'deleteWaypoints', value: { id: [2n, 3n] } }]);
});

it('forgets what a check found once the draft is another', async () => {
  const { desk: one, draft } = desk();
  await one.check();
  expect(one.findings(draft)?.map(({ text }) => text)).toEqual(['too fast']);
  expect(one.findings({ ...draft, revision: 2 })).toBeUndefined();
  expect(one.checking).toBe(false);
});

it('puts a pose only where one row is meant', async () => {
  const { desk: one, said, views } = desk({ refused: 'no' });
  await one.putPose();
  expect(said).toEqual([]);
  views.selection = only('2');
  await one.putPose();
  expect(said).toEqual(['error: no']);
});
