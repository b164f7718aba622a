import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';

import { UndoRedo_StuckSystems as StuckSystems } from '../protocol/generated/retake/msgs/history_pb';
import { ReplySchema, RequestSchema, type Request } from '../protocol/generated/retake/msgs/page_pb';
import { setPaused, setSpeed, stepWorld } from './controlWorld';
import { copyEntities } from './copyEntities';
import { deleteEntities } from './deleteEntities';
import { limitHistory } from './limitHistory';
import { moveEntities } from './moveEntities';
import { resetWorld } from './resetWorld';
import { scaleEntities } from './scaleEntities';
import type { Sender } from './send';
import { undoRedo } from './undoRedo';

class Recorder implements Sender {
  readonly sent: Request['request'][] = [];

  request(body: NonNullable<MessageInitShape<typeof RequestSchema>['request']>) {
    this.sent.push(create(RequestSchema, { request: body }).request);
    return Promise.resolve(create(ReplySchema, { ok: true }));
  }
}

it('control sets only what it names', async () => {
  const recorder = new Recorder();
  await setPaused(recorder, false);
  await stepWorld(recorder);
  await setSpeed(recorder, 0);
  const values = recorder.sent.map((request) => (request.case === 'control' ? request.value : undefined));
  expect(values.map((value) => [value?.pause, value?.multiStep, value?.realTimeFactor])).toEqual([
    [false, undefined, undefined],
    [undefined, 1, undefined],
    [undefined, undefined, 0],
  ]);
});

it('user commands carry an id of their own and an author', async () => {
  const recorder = new Recorder();
  await resetWorld(recorder);
  await deleteEntities(recorder, [4, 5]);
  const commands = recorder.sent.map((request) => (request.case === 'command' ? request.value : undefined));
  expect(commands.map((command) => command?.author)).toEqual(['page', 'page']);
  expect(new Set(commands.map((command) => command?.id)).size).toBe(2);
  expect(commands[1]?.command).toMatchObject({
    case: 'deleteEntities',
    value: { entity: [{ by: { case: 'id', value: 4n } }, { by: { case: 'id', value: 5n } }] },
  });
});

it('one thing is moved by a command of its own, several by one together', async () => {
  const recorder = new Recorder();
  await moveEntities(recorder, [{ entity: 4, position: [1, 2, 3] }]);
  await moveEntities(recorder, [{ entity: 4, position: [1, 2, 3] }, { entity: 5, rotation: [0, 0, 1, 0] }], 'Align');
  const commands = recorder.sent.map((request) => (request.case === 'command' ? request.value : undefined));
  expect(commands[0]?.command).toMatchObject({ case: 'moveEntity', value: { position: { x: 1, y: 2, z: 3 } } });
  expect(commands[0]?.command.value).not.toHaveProperty('orientation.w');
  expect(commands[1]).toMatchObject({ description: 'Align', command: { case: 'moveEntities' } });
});

it('several copies or scalings are one gesture', async () => {
  const recorder = new Recorder();
  const pose = { position: [0, 0, 0], rotation: [0, 0, 0, 1] } as const;
  await copyEntities(recorder, [{ entity: 4, pose }, { entity: 5, pose }]);
  await scaleEntities(recorder, [{ entity: 4, factor: [2, 2, 2] }, { entity: 5, factor: [2, 2, 2] }]);
  await scaleEntities(recorder, [{ entity: 4, factor: [2, 2, 2] }]);
  const gestures = recorder.sent.map((request) => (request.case === 'command' ? request.value.gesture : undefined));
  expect(new Set(gestures.slice(0, 2)).size).toBe(1);
  expect(new Set(gestures).size).toBe(3);
  expect(gestures[0]).not.toBe('');
  expect(gestures[4]).toBe('');
});

it('undo and redo name their command, under a request id of their own', async () => {
  const recorder = new Recorder();
  await undoRedo(recorder, { direction: 'undo', id: 'a', jump: false, stuck: 'refuse' });
  await undoRedo(recorder, { direction: 'redo', id: 'a', jump: true, stuck: 'go-on' });
  const values = recorder.sent.map((request) => (request.case === 'undoRedo' ? request.value : undefined));
  expect(values).toMatchObject([
    { id: 'a', undo: true, jump: false, stuckSystems: StuckSystems.REFUSE },
    { id: 'a', undo: false, jump: true, stuckSystems: StuckSystems.GO_ON },
  ]);
  expect(new Set(values.map((value) => value?.requestId)).size).toBe(2);
});

it('limits of the history change only what they name', async () => {
  const recorder = new Recorder();
  await limitHistory(recorder, { enabled: false });
  await limitHistory(recorder, { maxSteps: 5 });
  await limitHistory(recorder, { maxBytes: 2 ** 20 });
  const values = recorder.sent.map((request) => (request.case === 'undoSettings' ? request.value : undefined));
  expect(values.map((value) => [value?.enabled, value?.maxSteps, value?.maxBytes])).toEqual([
    [false, undefined, undefined],
    [undefined, 5, undefined],
    [undefined, undefined, 2n ** 20n],
  ]);
});
