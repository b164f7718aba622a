/** Text actions as flags on their track. */
import type { IconName } from '../../../ui/icons';
import type { TaughtAction } from '../../../world/teaching';
import { xOf, type Frame } from './scale';

export interface Flag {
  readonly action: TaughtAction;
  readonly x: number;
  /** Up to the next flag. */
  readonly widthPx: number;
  readonly icon: IconName;
  readonly label: string;
  /** How it is spoken of. */
  readonly name: string;
}

/** A flag is never narrower, so that its icon can be hit; never wider, so that it stays one flag. */
const NARROWEST_PX = 20;
const WIDEST_PX = 150;
/** About what a letter of a label and the icon before it take. */
const LETTER_PX = 6.8;
const ICON_PX = 32;

const ICONS: Readonly<Partial<Record<string, IconName>>> = {
  'voice/say': 'messages',
  'voice/play_wav': 'sound',
  'eyes/emotion': 'visual',
  'motion/joint_trajectory': 'runs',
};

const WORDS: Readonly<Partial<Record<string, string>>> = {
  'voice/say': 'Say',
  'voice/play_wav': 'Play',
  'eyes/emotion': 'Eyes',
  'motion/joint_trajectory': 'Motion',
};

/** Returns the flags that are in sight, in the order of their times. */
export function flagsOf(actions: readonly TaughtAction[], frame: Frame): readonly Flag[] {
  const inOrder = [...actions].sort((a, b) => a.time - b.time);
  return inOrder.flatMap((action, place) => {
    const x = xOf(frame, action.time);
    const next = inOrder[place + 1];
    const room = next === undefined ? WIDEST_PX : xOf(frame, next.time) - x - 2;
    const label = labelOf(action);
    const widthPx = Math.max(Math.min(room, ICON_PX + label.length * LETTER_PX, WIDEST_PX), NARROWEST_PX);
    const flag = { action, x, widthPx, icon: iconOf(action), label, name: nameOf(action) };
    return x + widthPx < 0 || x > frame.widthPx ? [] : [flag];
  });
}

/** Returns the flag at a pixel; where two overlap, the later one, which is drawn over the other. */
export function flagAt(flags: readonly Flag[], x: number): Flag | undefined {
  return flags.findLast((flag) => x >= flag.x - 2 && x <= flag.x + flag.widthPx);
}

export function iconOf({ type }: TaughtAction): IconName {
  return ICONS[type] ?? 'function';
}

/** What a flag says: the words of the command, or else its type. */
export function labelOf({ type, command }: TaughtAction): string {
  return command === '' ? WORDS[type] ?? type : command;
}

function nameOf({ type, command, time }: TaughtAction): string {
  const what = `${WORDS[type] ?? type} ${command}`.trim();
  return `${what} at ${time.toFixed(2)} s`;
}
