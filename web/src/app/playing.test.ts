import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Sender } from '../commands/send';
import { LogStatusSchema, PlaybackFileSchema, PlaybackSchema, type PlaybackControl } from '../protocol/generated/retake/msgs/log_pb';
import { ReplySchema, RequestSchema, type Reply, type Request } from '../protocol/generated/retake/msgs/page_pb';
import { Playing } from './playing.svelte';
import { LogRecording } from './recording.svelte';

/** Keeps requests until a test answers them. */
class Desk implements Sender {
  readonly sent: Request['request'][] = [];
  private waiting: { done: (reply: Reply) => void; fail: (error: Error) => void }[] = [];

  request(body: NonNullable<MessageInitShape<typeof RequestSchema>['request']>): Promise<Reply> {
    this.sent.push(create(RequestSchema, { request: body }).request);
    return new Promise((done, fail) => this.waiting.push({ done, fail }));
  }

  async answer(refusal?: string): Promise<void> {
    const first = this.waiting.shift();
    if (refusal === undefined) {
      first?.done(create(ReplySchema, { ok: true }));
    } else {
      first?.fail(new Error(refusal));
    }
    await vi.advanceTimersByTimeAsync(0);
  }

  controls(): readonly PlaybackControl[] {
    return this.sent.flatMap((request) => (request.case === 'playback' ? [request.value] : []));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function playing(): { desk: Desk; refusals: string[]; log: Playing } {
  const desk = new Desk();
  const refusals: string[] = [];
  const log = new Playing(desk, (text) => refusals.push(text));
  log.useFile(create(PlaybackFileSchema, { file: 'a.mcap', lengthSecs: 10 }));
  log.usePlace(create(PlaybackSchema, { atSecs: 1, speed: 1 }));
  return { desk, refusals, log };
}

it('while a seek is on its way only the newest waits, and the wish shows until the log is there', async () => {
  const { desk, log } = playing();
  for (const secs of [2, 3, 4, 5]) {
    log.seek(secs);
  }
  await desk.answer();
  expect(desk.controls().map(({ seek }) => seek.value)).toEqual([2, 5]);
  expect(log.wantedSecs).toBe(5);
  await desk.answer();
  expect(log.wantedSecs).toBe(5);
  await vi.advanceTimersByTimeAsync(1000);
  expect(log.wantedSecs).toBeUndefined();
});

it('a place from before Play does not stop the log on the page', async () => {
  const { desk, log } = playing();
  const changed = log.change({ play: true, speed: 2 });
  await desk.answer();
  await changed;
  expect(log.place).toMatchObject({ playing: true, speed: 2 });
  log.usePlace(create(PlaybackSchema, { atSecs: 1, speed: 1 }));
  expect(log.place).toMatchObject({ playing: true, speed: 2 });
  log.usePlace(create(PlaybackSchema, { atSecs: 1.1, speed: 2, playing: true }));
  log.usePlace(create(PlaybackSchema, { atSecs: 1.2, speed: 2 }));
  expect(log.playing).toBe(false);
});

it('a refused seek is told, and the log stays where it is', async () => {
  const { desk, refusals, log } = playing();
  log.seek(4);
  await desk.answer('The file is gone');
  expect([log.wantedSecs, refusals]).toEqual([undefined, ['The file is gone']]);
});

it('steps of a held key add up', async () => {
  const { desk, log } = playing();
  for (let count = 0; count < 5; count += 1) {
    log.step(-1);
  }
  await desk.answer();
  expect(desk.controls().map(({ step }) => step)).toEqual([-1, -4]);
});

it('playing shows at once when it is agreed to, and not before', async () => {
  const { desk, log } = playing();
  const changed = log.change({ play: true, speed: 2 });
  expect(log.playing).toBe(false);
  await desk.answer();
  await changed;
  expect([log.playing, log.place?.speed]).toEqual([true, 2]);
  log.begin();
  expect([log.file, log.place, log.playing]).toEqual([undefined, undefined, false]);
});

it('a recording starts with its name once, ends, and is told', async () => {
  const desk = new Desk();
  const said: string[] = [];
  const recording = new LogRecording(desk, (level, text) => said.push(`${level}: ${text}`));
  recording.useStatus(create(LogStatusSchema, {}));
  recording.change({ file: 'a.mcap' });
  const started = recording.toggle();
  await recording.toggle();
  expect(desk.sent).toMatchObject([{ case: 'logStart', value: { file: 'a.mcap', rateHz: 0, topic: [] } }]);
  await desk.answer();
  await started;
  expect(recording.draft.file).toBe('');
  const status = { recording: true, file: 'a.mcap', bytes: 2000n, recorded: { sec: 1n } };
  recording.useStatus(create(LogStatusSchema, status));
  const refused = expect(recording.toggle()).rejects.toThrow('The disk does not answer');
  await desk.answer('The disk does not answer');
  await refused;
  expect(desk.sent.at(-1)?.case).toBe('logStop');
  recording.useStatus(create(LogStatusSchema, { ...status, recording: false }));
  expect(said).toEqual(['info: Recorded 1.0 s to a.mcap (2.0 kB)']);
});
