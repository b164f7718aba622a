import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, it, vi } from 'vitest';

import type { Sender } from '../commands/send';
import { ReplySchema, RequestSchema, type Reply, type Request } from '../protocol/generated/retake/msgs/page_pb';
import { TimelineSchema } from '../protocol/generated/retake/msgs/timeline_pb';
import { secsOf, timeOf } from '../protocol/time';
import { timelineMessage } from '../world/timelineTesting';
import { LookingBack } from './lookingBack.svelte';

/** Keeps requests until a test answers them. */
class Desk implements Sender {
  readonly sent: Request['request'][] = [];
  private waiting: { done: (reply: Reply) => void; fail: (error: Error) => void }[] = [];

  request(body: NonNullable<MessageInitShape<typeof RequestSchema>['request']>): Promise<Reply> {
    this.sent.push(create(RequestSchema, { request: body }).request);
    return new Promise((done, fail) => this.waiting.push({ done, fail }));
  }

  async found(epoch: number, secs: number): Promise<void> {
    await this.answer({ past: { ok: true, epoch: BigInt(epoch), simTime: timeOf(secs) } });
  }

  async answer(reply: MessageInitShape<typeof ReplySchema> = {}): Promise<void> {
    this.waiting.shift()?.done(create(ReplySchema, { ok: true, ...reply }));
    await settled();
  }

  async refuse(text: string): Promise<void> {
    this.waiting.shift()?.fail(new Error(text));
    await settled();
  }

  /** What was looked for, the present as `live`. */
  looks(): readonly string[] {
    return this.sent.flatMap((request) => {
      if (request.case !== 'lookBack') {
        return [];
      }
      const { instant } = request.value;
      return [instant === undefined ? 'live' : instant.bookmark || `${instant.branch} ${instant.simTime === undefined ? 'end' : secsOf(instant.simTime)}`];
    });
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function lookingBack(): { desk: Desk; said: string[]; past: LookingBack } {
  const desk = new Desk();
  const said: string[] = [];
  const past = new LookingBack(desk, {
    refused: (text) => said.push(text),
    jumping: async (jump) => {
      await jump();
      said.push('jumped');
    },
    stuck: () => 'refuse',
  });
  past.use(create(TimelineSchema, timelineMessage()));
  return { desk, said, past };
}

const look = (past: LookingBack, branch: string, secs: number): void => {
  past.look({ branch, secs }, { branch, secs });
};

it('while an instant is looked for only the newest wish waits', async () => {
  const { desk, past } = lookingBack();
  for (const secs of [0.2, 0.4, 0.6, 0.8]) {
    look(past, 'main', secs);
  }
  expect(desk.looks()).toEqual(['main 0.2']);
  expect([past.active, past.shown, past.wanted?.secs]).toEqual([true, undefined, 0.8]);
  await desk.found(0, 0.2);
  expect(desk.looks()).toEqual(['main 0.2', 'main 0.8']);
  expect([past.shown?.secs, past.wanted?.secs]).toEqual([0.2, 0.8]);
  await desk.found(0, 0.8);
  expect([past.shown?.secs, past.wanted]).toEqual([0.8, undefined]);
});

it('whoever goes back to live waits for nothing, and what comes late does not count', async () => {
  const { desk, said, past } = lookingBack();
  look(past, 'main', 0.2);
  look(past, 'main', 0.4);
  past.lookAtPresent();
  expect(past.active).toBe(false);
  expect(desk.looks()).toEqual(['main 0.2', 'live']);
  await desk.refuse('The page shows the present');
  await desk.answer();
  expect([past.active, past.shown, said]).toEqual([false, undefined, []]);
  // It was not asked for again, and the next look goes out at once.
  look(past, 'main', 1);
  expect(desk.looks()).toEqual(['main 0.2', 'live', 'main 1']);
});

it('an instant that is found after the person went back is not shown', async () => {
  const { desk, past } = lookingBack();
  look(past, 'main', 0.2);
  past.lookAtPresent();
  await desk.found(0, 0.2);
  expect([past.active, past.shown]).toEqual([false, undefined]);
});

it('a refused look leaves what was shown', async () => {
  const { desk, said, past } = lookingBack();
  look(past, 'main', 1);
  await desk.found(0, 1);
  look(past, 'main', 2);
  await desk.refuse('Branch "main" is kept from 1.5 s on');
  expect([past.shown?.secs, past.wanted, said]).toEqual([1, undefined, ['Branch "main" is kept from 1.5 s on']]);
});

it('an instant keeps its place when branches get other names', async () => {
  const { desk, past } = lookingBack();
  look(past, 'main', 2);
  await desk.found(2, 2);
  expect(past.shown?.branch).toBe('main');
  // Somebody resumed from 1.7 s: what is shown is on main-2 now.
  past.use(create(TimelineSchema, timelineMessage({
    branch: [
      { name: 'main', live: true, end: timeOf(1.7), segment: [{ epoch: 0n, from: timeOf(0), to: timeOf(1.5) }, { epoch: 2n, from: timeOf(1.5), to: timeOf(1.7) }, { epoch: 3n, from: timeOf(1.7), to: timeOf(1.7) }] },
      { name: 'main-2', parent: 'main', fork: timeOf(1.7), end: timeOf(2.5), segment: [{ epoch: 2n, from: timeOf(1.7), to: timeOf(2.5) }] },
    ],
  })));
  expect(past.shown?.branch).toBe('main-2');
  void past.resume();
  expect(desk.sent.at(-1)).toMatchObject({ case: 'command', value: { command: { case: 'resumeTimeline', value: { instant: { branch: 'main-2', simTime: timeOf(2) }, fork: '' } } } });
});

/** The timeline as it is after a resume from 0.5 s. */
const RESUMED = timelineMessage({
  branch: [{ name: 'main', live: true, end: timeOf(0.5), segment: [{ epoch: 0n, from: timeOf(0), to: timeOf(0.5) }, { epoch: 3n, from: timeOf(0.5), to: timeOf(0.5) }] }],
});

it('a resume jumps and shows the present again; a fork has a name', async () => {
  const { desk, said, past } = lookingBack();
  past.look({ bookmark: 'start' }, { branch: 'main', secs: 0.5 });
  past.useSet(true);
  await desk.found(0, 0.5);
  expect(past.shown?.bookmark).toBe('start');
  const resumed = past.resume('trial 2');
  expect(desk.sent.at(-1)).toMatchObject({ case: 'command', value: { command: { case: 'resumeTimeline', value: { instant: { bookmark: 'start' }, fork: 'trial 2' } } } });
  await desk.answer();
  expect(said).toEqual(['jumped']);
  // The host still has the present that was left: who asked now would be shown that.
  past.use(create(TimelineSchema, timelineMessage()));
  await settled();
  expect([past.shown?.secs, desk.looks()]).toEqual([0.5, ['start']]);
  past.use(create(TimelineSchema, RESUMED));
  await resumed;
  expect(desk.looks()).toEqual(['start', 'live']);
  past.useSet(false);
  expect(past.active).toBe(false);
});

it('a jump that no timeline shows is not waited for without end', async () => {
  vi.useFakeTimers();
  const { desk, past } = lookingBack();
  look(past, 'main', 0.5);
  const found = desk.found(0, 0.5);
  await vi.runAllTimersAsync();
  await found;
  void past.resume();
  void desk.answer();
  await vi.advanceTimersByTimeAsync(900);
  expect(desk.looks()).toEqual(['main 0.5']);
  await vi.advanceTimersByTimeAsync(200);
  expect(desk.looks()).toEqual(['main 0.5', 'live']);
  vi.useRealTimers();
});

it('is in the past until the present is drawn, whatever was answered before', async () => {
  const { desk, past } = lookingBack();
  look(past, 'main', 1);
  past.useSet(true);
  await desk.found(0, 1);
  past.lookAtPresent();
  await desk.answer();
  expect([past.active, past.shown?.secs]).toEqual([true, 1]);
  past.useSet(false);
  expect([past.active, past.shown]).toEqual([false, undefined]);
  // Also when the instant is drawn after the person has given it up.
  look(past, 'main', 1);
  past.lookAtPresent();
  expect(past.active).toBe(false);
  past.useSet(true);
  expect(past.active).toBe(true);
});

it('a resume on the branch that goes on names none, for it switches to none', async () => {
  const { desk, past } = lookingBack();
  look(past, 'main', 1);
  await desk.found(0, 1);
  void past.resume();
  expect(desk.sent.at(-1)).toMatchObject({ case: 'command', value: { command: { case: 'resumeTimeline', value: { instant: { branch: '', simTime: timeOf(1) } } } } });
});

it('a refused resume stays in the past and says why', async () => {
  const { desk, past } = lookingBack();
  look(past, 'main', 1);
  await desk.found(0, 1);
  const resumed = expect(past.resume()).rejects.toThrow('No');
  await desk.refuse('No');
  await resumed;
  expect(past.shown?.secs).toBe(1);
});

it('bookmarks are of what is shown, or of the present', async () => {
  const { desk, past } = lookingBack();
  void past.bookmark('now');
  expect(desk.sent.at(-1)).toMatchObject({ case: 'timelineEdit', value: { edit: { case: 'addBookmark', value: { name: 'now' } } } });
  expect(desk.sent.at(-1)?.value).not.toHaveProperty('edit.value.instant');
  await desk.answer();
  look(past, 'trial', 2);
  await desk.found(1, 2);
  void past.bookmark('then');
  expect(desk.sent.at(-1)).toMatchObject({ case: 'timelineEdit', value: { edit: { case: 'addBookmark', value: { instant: { branch: 'trial', simTime: timeOf(2) } } } } });
});

it('steps go from the present into the past and back again', async () => {
  const { desk, past } = lookingBack();
  past.step(-0.25, 2.5);
  expect(desk.looks()).toEqual(['main 2.25']);
  await desk.found(2, 2.25);
  past.step(0.25, 2.5);
  past.useSet(false);
  expect([past.active, desk.looks().at(-1)]).toEqual([false, 'live']);
});

it('a new connection shows the present', async () => {
  const { desk, past } = lookingBack();
  look(past, 'main', 1);
  await desk.found(0, 1);
  past.begin();
  expect([past.active, past.timeline]).toEqual([false, undefined]);
});
