/** Text commands of motions, as the page shows and sounds them. */
import type { TextCommandFired } from '../protocol/generated/retake/msgs/motion_pb';
import { entityIdOf, type EntityId } from './entity';

/** What a text command asks of the page, besides being shown. */
export type Sounding =
  | { readonly kind: 'play'; readonly address: string }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'nothing' };

export interface TextAction {
  readonly robot: string;
  /** What people read beside the robot; empty of what is seen anyway. */
  readonly caption: string;
  readonly sounding: Sounding;
  /** The plugin that plays the motion; the model that holds it is the robot. */
  readonly player: EntityId;
}

/** Longest caption, in characters. */
const LONGEST = 120;

export function textActionOf({ robot, command, player }: TextCommandFired): TextAction {
  const { type = '', command: words = '' } = command ?? {};
  return { robot, caption: captionOf(robot, type, words), sounding: soundingOf(type, words, player), player: entityIdOf(player) };
}

/** Kinds of text commands that the world itself carries out, for all to see. */
const SEEN = ['eyes/emotion', 'motion/joint_trajectory'];

function captionOf(robot: string, type: string, words: string): string {
  return SEEN.includes(type) ? '' : `${robot}: ${shortened(wordsOf(type, words))}`;
}

function wordsOf(type: string, words: string): string {
  switch (type) {
    case 'voice/say':
      return words;
    case 'voice/play_wav':
      return `♪ ${words}`;
    default:
      return words === '' ? type : `${type} ${words}`;
  }
}

function soundingOf(type: string, words: string, player: bigint): Sounding {
  switch (type) {
    case 'voice/say':
      return { kind: 'say', text: words };
    case 'voice/play_wav':
      return { kind: 'play', address: `/sound/${player}/${encodeURIComponent(words)}` };
    default:
      return { kind: 'nothing' };
  }
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
