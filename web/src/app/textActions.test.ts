import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { TextAction } from '../world/textCommand';
import { TextActions } from './textActions.svelte';

const HELLO: TextAction = { robot: 'dog', caption: 'dog: Hello', sounding: { kind: 'say', text: 'Hello' }, player: 7 };
const BARK: TextAction = { ...HELLO, caption: 'dog: ♪ bark', sounding: { kind: 'play', address: '/sound/7/bark' } };

function stand(): { actions: TextActions; heard: string[]; failed: string[] } {
  const [heard, failed]: [string[], string[]] = [[], []];
  const voice = {
    play(address: string): Promise<void> {
      heard.push(address);
      return address.endsWith('bark') ? Promise.resolve() : Promise.reject(new Error('No sound'));
    },
    say: (text: string) => heard.push(text),
    hush: () => heard.push('hush'),
  };
  return { actions: new TextActions(voice, (reason) => failed.push(reason)), heard, failed };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('shows what fired for a while, says it and plays it', () => {
  const { actions, heard } = stand();
  actions.use(HELLO);
  vi.advanceTimersByTime(2000);
  actions.use(BARK);
  expect(actions.captions.map(({ text }) => text)).toEqual(['dog: Hello', 'dog: ♪ bark']);
  expect(heard).toEqual(['Hello', '/sound/7/bark']);
  vi.advanceTimersByTime(2500);
  expect(actions.captions.map(({ text }) => text)).toEqual(['dog: ♪ bark']);
  vi.advanceTimersByTime(2500);
  expect(actions.captions).toEqual([]);
});

it('shows without a sound while muted', () => {
  const { actions, heard } = stand();
  actions.mute(true);
  actions.use(HELLO);
  actions.use(BARK);
  expect(actions.captions).toHaveLength(2);
  expect(heard).toEqual(['hush']);
});

it('tells why a sound cannot be played, and keeps few captions', async () => {
  const { actions, failed } = stand();
  for (let number = 0; number < 20; number += 1) {
    actions.use({ ...BARK, sounding: { kind: 'play', address: '/sound/7/none' } });
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(actions.captions).toHaveLength(8);
  expect(failed[0]).toBe('No sound');
});

it('is silent after a jump in time', () => {
  const { actions, heard } = stand();
  actions.use(HELLO);
  actions.clear();
  expect(actions.captions).toEqual([]);
  expect(heard).toEqual(['Hello', 'hush']);
});
