import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';

import { TextCommandFiredSchema } from '../protocol/generated/retake/msgs/motion_pb';
import { textActionOf } from './textCommand';

function action(type: string, command: string): ReturnType<typeof textActionOf> {
  return textActionOf(create(TextCommandFiredSchema, { robot: 'dog', player: 7n, command: { type, command } }));
}

it('says what is to be said', () => {
  expect(action('voice/say', 'Hello')).toEqual({
    robot: 'dog', caption: 'dog: Hello', sounding: { kind: 'say', text: 'Hello' }, player: 7,
  });
});

it('plays sounds of the player by name, and never leaves its folder', () => {
  expect(action('voice/play_wav', 'bark').sounding).toEqual({ kind: 'play', address: '/sound/7/bark' });
  expect(action('voice/play_wav', 'bark').caption).toBe('dog: ♪ bark');
  expect(action('voice/play_wav', '../a b').sounding).toEqual({ kind: 'play', address: '/sound/7/..%2Fa%20b' });
});

it('leaves out what is seen anyway', () => {
  expect(action('eyes/emotion', 'happy')).toMatchObject({ caption: '', sounding: { kind: 'nothing' } });
  expect(action('motion/joint_trajectory', 'nod').caption).toBe('');
});

it('shows what it does not know, shortened', () => {
  expect(action('tail/wag', 'fast')).toMatchObject({ caption: 'dog: tail/wag fast', sounding: { kind: 'nothing' } });
  expect(action('eyes/blink', '').caption).toBe('dog: eyes/blink');
  expect(action('voice/say', 'a'.repeat(500)).caption).toHaveLength(125);
});
