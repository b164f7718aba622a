import { expect, it } from 'vitest';

import type { BusList, Heard } from '../../world/topics';
import { flowText, leadOf, MOST_BYTES, MOST_MESSAGES, NOTHING_KEPT, rateText, repeatFrom, servicesWith, shortType, topicsWith, withHeard, type Kept } from './model';

const topic = (name: string, typeName: string) => ({ name, typeName, publishers: 1, messagesPerSec: undefined, bytesPerSec: undefined });
const LIST: BusList = {
  topics: [topic('/clock', 'retake.msgs.Clock'), topic('/world/cones/stats', 'retake.msgs.WorldStatistics'), topic('/world/cones/pose/info', 'retake.msgs.PoseV')],
  services: [{ name: '/world/cones/control', requestType: 'retake.msgs.WorldControl', replyType: 'retake.msgs.UserCmdReply' }],
  leftOut: 0, problem: '',
};
const heard = (count: number, length = 1): Heard => ({ topic: '/a', typeName: 'T', bytes: new Uint8Array(length), count, size: length, problem: '' });

it('filters by words of names and types', () => {
  const names = (text: string) => topicsWith(LIST, text).map(({ name }) => name);
  expect(names('')).toHaveLength(3);
  expect(names('cones STAT')).toEqual(['/world/cones/stats']);
  expect(names('posev')).toEqual(['/world/cones/pose/info']);
  expect(names('nothing')).toEqual([]);
  expect(servicesWith(LIST, 'usercmd')).toHaveLength(1);
  expect(shortType('retake.msgs.PoseV')).toBe('PoseV');
  expect(['/world/cones/stats', '/clock'].map(leadOf)).toEqual(['/world/cones', '']);
});

it('writes rates with the digits that count', () => {
  expect([undefined, 0, 0.333333, 5.04, 60.02, 1000].map(rateText)).toEqual(['–', '0', '0.33', '5', '60', '1000']);
  expect([undefined, 0, 1234, 2_500_000].map(flowText)).toEqual(['–', '0 B/s', '1.2 kB/s', '2.5 MB/s']);
});

it('keeps a bounded number of messages and bytes', () => {
  let kept: Kept = NOTHING_KEPT;
  for (let i = 1; i <= MOST_MESSAGES + 5; i += 1) {
    kept = withHeard(kept, heard(i));
  }
  expect([kept.messages.length, kept.messages[0]?.count, kept.dropped]).toEqual([MOST_MESSAGES, 6, 5]);
  const large = MOST_BYTES * 0.4;
  kept = [1, 2, 3].reduce((all, count) => withHeard(all, heard(count, large)), NOTHING_KEPT);
  expect([kept.messages.map(({ count }) => count), kept.dropped]).toEqual([[2, 3], 1]);
  // One that is longer than all the room is shown all the same.
  expect(withHeard(NOTHING_KEPT, heard(1, MOST_BYTES + 1)).messages).toHaveLength(1);
});

it('says why nothing comes, until something does', () => {
  const gone: Heard = { ...heard(0, 0), bytes: undefined, problem: 'The server is not there' };
  const kept = withHeard(withHeard(NOTHING_KEPT, heard(1)), gone);
  expect([kept.messages.length, kept.problem]).toEqual([1, 'The server is not there']);
  expect(withHeard(kept, heard(2)).problem).toBe('');
  const long: Heard = { ...heard(3, 0), bytes: undefined, size: 5e6, problem: 'too long' };
  expect(withHeard(NOTHING_KEPT, long).messages).toHaveLength(1);
});

it('reads how often to publish', () => {
  expect(repeatFrom('10')).toEqual({ perSec: 10 });
  expect(repeatFrom('0.1')).toEqual({ perSec: 0.1 });
  for (const text of ['', '0', '51', 'often', '-1']) {
    expect(repeatFrom(text)).toEqual({ problem: 'Write a number from 0.1 to 50 Hz' });
  }
});
