import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';

import { ReplySchema, type Reply, type RequestSchema } from '../protocol/generated/retake/msgs/page_pb';
import { WorldStatisticsSchema } from '../protocol/generated/retake/msgs/world_pb';
import { World } from '../world/world';
import { PhysicsProfiles } from './physics.svelte';

/** Answers requests in their order, when it is told to. */
class Wire {
  readonly asked: string[] = [];
  private readonly answers: ((current: string) => void)[] = [];

  request(body: NonNullable<MessageInitShape<typeof RequestSchema>['request']>): Promise<Reply> {
    this.asked.push(body.case ?? '');
    return new Promise((resolve) => {
      this.answers.push((current) => { resolve(create(ReplySchema, { ok: true, physics: { current } })); });
    });
  }

  async answer(current: string): Promise<void> {
    this.answers.shift()?.(current);
    await settled();
  }
}

const settled = () => new Promise((resolve) => { setTimeout(resolve, 0); });
const made = (wire: Wire) => new PhysicsProfiles(wire, new World(), (_cause, jump) => jump());
const touched = (...names: string[]) => ({ replaced: false, structure: false, touched: new Map([[1, new Set(names)]]) });

it('reads nothing while nobody looks, and once for many reasons', async () => {
  const wire = new Wire();
  const profiles = made(wire);
  profiles.useChange(touched('physics_profiles'));
  await settled();
  expect(wire.asked).toEqual([]);
  const leave = profiles.follow();
  profiles.useChange(touched('current_profile'));
  profiles.useChange(touched('clock'));
  await settled();
  expect(wire.asked).toEqual(['physics']);
  leave();
  profiles.useChange(touched('current_profile'));
  await wire.answer('a');
  expect([profiles.physics?.current, wire.asked.length]).toEqual(['a', 1]);
});

it('an edit that is taken back before a state tells of it does not stay', async () => {
  const wire = new Wire();
  const profiles = made(wire);
  profiles.follow();
  await settled();
  await wire.answer('a');
  const removed = profiles.remove('b');
  await wire.answer(''); // The command.
  await wire.answer('without b');
  await removed;
  // The undo brings no state: the last one that was sent had the profile too.
  profiles.useEdit();
  await settled();
  await wire.answer('with b');
  expect(profiles.physics?.current).toBe('with b');
});

it('what was asked for before a change is read again after it', async () => {
  const wire = new Wire();
  const profiles = made(wire);
  profiles.follow();
  await settled();
  const switched = profiles.switchTo('b');
  await wire.answer('a'); // The reading that had begun.
  await wire.answer(''); // The command.
  expect(wire.asked).toEqual(['physics', 'command', 'physics']);
  await wire.answer('b');
  await switched;
  expect(profiles.physics?.current).toBe('b');
});

it('another speed is another value in force', async () => {
  const wire = new Wire();
  const profiles = made(wire);
  profiles.follow();
  await settled();
  await wire.answer('a');
  const stats = create(WorldStatisticsSchema, { profile: 'a', targetRealTimeFactor: 1, stepSizeSecs: 0.001 });
  profiles.useStats(stats);
  await settled();
  await wire.answer('a');
  profiles.useStats(stats);
  await settled();
  expect(wire.asked).toHaveLength(2);
  profiles.useStats({ ...stats, targetRealTimeFactor: 2 });
  await settled();
  expect(wire.asked).toHaveLength(3);
});
