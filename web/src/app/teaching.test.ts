import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';

import { ReplySchema, RequestSchema, type PageMessageSchema, type Reply } from '../protocol/generated/retake/msgs/page_pb';
import { TeachLiveSchema, TeachStateSchema } from '../protocol/generated/retake/msgs/teach_pb';
import { Teaching } from './teaching.svelte';

class Wire {
  readonly told: string[] = [];
  readonly asked: string[] = [];
  private readonly answers: ((reply: Reply | Error) => void)[] = [];

  send({ message }: MessageInitShape<typeof PageMessageSchema>): void {
    this.told.push(message?.case === 'watchTeaching' ? (message.value.robot ?? '') : '?');
  }

  request(body: NonNullable<MessageInitShape<typeof RequestSchema>['request']>): Promise<Reply> {
    const { request } = create(RequestSchema, { request: body });
    const what = request.case === 'teach' ? request.value.what : undefined;
    this.asked.push(what?.case === 'show' ? String(what.value.pose.value) : String(what?.case));
    return new Promise((resolve, reject) => {
      this.answers.push((reply) => { if (reply instanceof Error) { reject(reply); } else { resolve(reply); } });
    });
  }

  async answer(base: bigint | Error): Promise<void> {
    const ghost = { base: base instanceof Error ? 0n : base, link: [], pose: [] };
    this.answers.shift()?.(base instanceof Error ? base : create(ReplySchema, { teach: { ghost } }));
    // What waits for the answer goes on before a timer does.
    await new Promise((resolve) => { setTimeout(resolve, 0); });
  }
}

it('asks for one ghost at a time, and the newest wish wins', async () => {
  const wire = new Wire();
  const teaching = new Teaching(wire, () => []);
  teaching.show('arm', { waypoint: '1' });
  teaching.show('arm', { timeSecs: 0.5 });
  teaching.show('arm', { waypoint: '3' });
  expect(wire.asked).toEqual(['1']);
  await wire.answer(7n);
  expect(wire.asked).toEqual(['1', '3']);
  await wire.answer(8n);
  expect(teaching.ghost?.base).toBe(8);
});

it('a ghost that is not wanted any more does not come back', async () => {
  const wire = new Wire();
  const teaching = new Teaching(wire, () => []);
  teaching.show('arm', { waypoint: '1' });
  teaching.show('arm', undefined);
  await wire.answer(7n);
  expect(teaching.ghost).toBeUndefined();
});

it('says why there is no ghost, until there is one', async () => {
  const wire = new Wire();
  const teaching = new Teaching(wire, () => []);
  teaching.show('arm', { waypoint: '1' });
  await wire.answer(new Error('no such waypoint'));
  expect([teaching.ghost, teaching.ghostProblem]).toEqual([undefined, 'no such waypoint']);
  teaching.show('arm', { waypoint: '2' });
  await wire.answer(7n);
  expect([teaching.ghost?.base, teaching.ghostProblem]).toEqual([7, undefined]);
});

it('follows the robot that is looked at, and tells a new host', () => {
  const wire = new Wire();
  const teaching = new Teaching(wire, () => []);
  teaching.watch('arm');
  teaching.watch('arm');
  teaching.useLive(create(TeachLiveSchema, { robot: 'leg' }));
  expect(teaching.live).toBeUndefined();
  teaching.useLive(create(TeachLiveSchema, { robot: 'arm' }));
  expect(teaching.live?.robot).toBe('arm');
  teaching.begin();
  expect(teaching.live).toBeUndefined();
  teaching.watch(undefined);
  teaching.begin();
  expect(wire.told).toEqual(['arm', 'arm', '']);
});

it('knows what can be taught once the host told', () => {
  const teaching = new Teaching(new Wire(), () => []);
  expect(teaching.known).toBe(false);
  teaching.useState(create(TeachStateSchema, { robot: [{ robot: 'arm' }], draft: [{ robot: 'arm' }] }));
  expect([teaching.known, teaching.robots.length, teaching.drafts.length]).toEqual([true, 1, 1]);
});
