import { create } from '@bufbuild/protobuf';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { ReplySchema } from '../protocol/generated/retake/msgs/page_pb';
import { Pulling } from './pulling';
import type { Sender } from './send';

const PULL = { link: 7, point: [0, 0, 0.1], target: [1, 2, 3] } as const;

interface Sent {
  readonly gesture: string;
  readonly description: string;
  readonly target: unknown;
}

function stand(answer: () => Promise<void> = () => Promise.resolve()): { pulling: Pulling; sent: Sent[]; refused: string[] } {
  const [sent, refused]: [Sent[], string[]] = [[], []];
  const sender: Sender = {
    async request(body) {
      if (body.case === 'command' && body.value.command?.case === 'pullLink') {
        const { gesture = '', description = '', command } = body.value;
        sent.push({ gesture, description, target: command.value.target });
      }
      await answer();
      return create(ReplySchema);
    },
  };
  return { pulling: new Pulling(sender, (reason) => refused.push(reason)), sent, refused };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('sends a pull again and again as one gesture until it is let go of', async () => {
  const { pulling, sent } = stand();
  pulling.use(PULL, 'crate');
  await vi.advanceTimersByTimeAsync(250);
  pulling.use({ ...PULL, target: [2, 2, 3] }, 'crate');
  await vi.advanceTimersByTimeAsync(100);
  pulling.release();
  await vi.advanceTimersByTimeAsync(500);
  expect(sent.map(({ target }) => target)).toEqual([
    { x: 1, y: 2, z: 3 }, { x: 1, y: 2, z: 3 }, { x: 1, y: 2, z: 3 }, { x: 2, y: 2, z: 3 }, undefined,
  ]);
  expect(new Set(sent.map(({ gesture }) => gesture)).size).toBe(1);
  expect(new Set(sent.map(({ description }) => description))).toEqual(new Set(['Pull crate']));
});

it('waits for an answer before it sends the next', async () => {
  const { pulling, sent } = stand(() => new Promise(() => undefined));
  pulling.use(PULL, 'crate');
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toHaveLength(1);
});

it('says nothing after a jump in time', async () => {
  const { pulling, sent } = stand();
  pulling.use(PULL, 'crate');
  await vi.advanceTimersByTimeAsync(50);
  pulling.drop();
  pulling.release();
  await vi.advanceTimersByTimeAsync(500);
  expect(sent).toHaveLength(1);
});

it('ends with a refusal and tells it once', async () => {
  const { pulling, sent, refused } = stand(() => Promise.reject(new Error('it is static')));
  pulling.use(PULL, 'wall');
  await vi.advanceTimersByTimeAsync(500);
  expect(sent).toHaveLength(1);
  expect(refused).toEqual(['it is static']);
});
