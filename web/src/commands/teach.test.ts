import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';

import { ReplySchema, RequestSchema, type Reply } from '../protocol/generated/retake/msgs/page_pb';
import { TeachAnswerSchema, Twin, type TeachRequest } from '../protocol/generated/retake/msgs/teach_pb';
import type { Sender } from './send';
import {
  addPose, checkDraft, editDraft, executeDraft, listMotions, mirrorDraft, recordPath, saveDraft, showPose, takePose,
} from './teach';

class Recorder implements Sender {
  readonly sent: TeachRequest[] = [];

  constructor(private readonly answer: MessageInitShape<typeof TeachAnswerSchema> = {}, private readonly refused?: string) {}

  request(body: NonNullable<MessageInitShape<typeof RequestSchema>['request']>): Promise<Reply> {
    const { request } = create(RequestSchema, { request: body });
    if (request.case === 'teach') {
      this.sent.push(request.value);
    }
    const reply = create(ReplySchema, { teach: this.answer });
    return this.refused === undefined ? Promise.resolve(reply) : Promise.reject(Object.assign(new Error(this.refused), { reply }));
  }
}

it('names the robot and the waypoints', async () => {
  const recorder = new Recorder({ made: [8n] });
  expect(await addPose(recorder, 'arm', 'real')).toEqual(['8']);
  await addPose(recorder, 'arm', 'virtual', 0);
  expect(recorder.sent[0]?.what.value).not.toHaveProperty('time');
  await takePose(recorder, 'arm', 'virtual', '3');
  await mirrorDraft(recorder, 'arm', ['3', '4']);
  await editDraft(recorder, 'arm', { case: 'markStart', value: 3n }, 'drag');
  expect(recorder.sent.map(({ robot }) => robot)).toEqual(['arm', 'arm', 'arm', 'arm', 'arm']);
  expect(recorder.sent.map(({ what }) => what.value)).toMatchObject([
    { twin: Twin.REAL }, { twin: Twin.VIRTUAL, time: 0 }, { waypoint: 3n }, { waypoint: [3n, 4n] },
    { stroke: 'drag', edit: { case: 'markStart', value: 3n } },
  ]);
});

it('executes and records as it is told', async () => {
  const recorder = new Recorder();
  await executeDraft(recorder, 'arm', { twin: 'real', backward: true, speed: 0.5, loops: false, approach: true });
  await recordPath(recorder, 'arm', 'virtual', 'begin');
  await recordPath(recorder, 'arm', 'virtual', 'end');
  await recordPath(recorder, 'arm', 'virtual', 'discard');
  expect(recorder.sent.map(({ what }) => what.value)).toMatchObject([
    { twin: Twin.REAL, backward: true, speed: 0.5, approach: true },
    { on: true, discard: false }, { on: false, discard: false }, { on: false, discard: true },
  ]);
});

it('a name that is taken is no failure, any other refusal is', async () => {
  expect(await saveDraft(new Recorder(), 'arm', 'wave', false)).toBe('saved');
  expect(await saveDraft(new Recorder({ exists: true }, 'there is one'), 'arm', 'wave', false)).toBe('exists');
  await expect(saveDraft(new Recorder({}, 'the disk is full'), 'arm', 'wave', true)).rejects.toThrow('the disk is full');
});

it('reads answers, and empty ones', async () => {
  const pose = [0, 0, 0, 0, 0, 0, 1];
  const recorder = new Recorder({ ghost: { base: 1n, link: [2n], pose }, finding: [{ text: 'too far' }], motions: { motion: [{ name: 'wave' }] } });
  expect((await showPose(recorder, 'arm', { timeSecs: 1.5 }))?.links).toEqual([2]);
  expect((await showPose(recorder, 'arm', { waypoint: '7' }))?.base).toBe(1);
  expect(recorder.sent.map(({ what }) => what.value)).toMatchObject([{ pose: { case: 'time', value: 1.5 } }, { pose: { value: 7n } }]);
  expect((await checkDraft(recorder, 'arm')).map(({ text }) => text)).toEqual(['too far']);
  expect((await listMotions(recorder, 'arm')).motions.map(({ name }) => name)).toEqual(['wave']);
  expect(await showPose(new Recorder(), 'arm', { timeSecs: 0 })).toBeUndefined();
  expect(await listMotions(new Recorder(), 'arm')).toEqual({ folders: [], motions: [], problems: [], groups: [] });
});
