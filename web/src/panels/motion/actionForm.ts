/** A text action while it is being made or changed. */
import { parseQuantity } from '../../lib/quantity';
import { wireId, type EditBody, type TaughtAction } from '../../world/teaching';

export interface ActionForm {
  /** Undefined while it is new. */
  readonly id: string | undefined;
  readonly type: string;
  readonly command: string;
  readonly options: string;
  /** As typed, in s. */
  readonly time: string;
}

/** Kinds that are known here; robots may know others. */
export const ACTION_KINDS: readonly { readonly type: string; readonly label: string; readonly hint: string }[] = [
  { type: 'voice/say', label: 'Say', hint: 'What is said' },
  { type: 'voice/play_wav', label: 'Play a sound', hint: 'Name of the sound file' },
  { type: 'eyes/emotion', label: 'Show an emotion', hint: 'Name of the emotion' },
  { type: 'motion/joint_trajectory', label: 'Play a motion', hint: 'Name of the stored motion' },
];

/** Says what the command of a kind is. */
export function commandHint(type: string): string {
  return ACTION_KINDS.find((kind) => kind.type === type)?.hint ?? 'What is asked of it';
}

export function newAction(timeSecs: number): ActionForm {
  return { id: undefined, type: 'voice/say', command: '', options: '', time: shortTime(timeSecs) };
}

export function formOf({ id, type, command, options, time }: TaughtAction): ActionForm {
  return { id, type, command, options, time: shortTime(time) };
}

/** Makes the edit of a form, or says what is wrong with it. */
export function actionEdit({ id, type, command, options, time }: ActionForm): EditBody | { readonly problem: string } {
  const secs = parseQuantity(time, 's');
  if (type.trim() === '') {
    return { problem: 'Say who is to do it, as voice/say' };
  }
  if (secs === undefined || !Number.isFinite(secs) || secs < 0) {
    return { problem: `“${time}” is no time. It takes seconds from 0 on` };
  }
  const value = { time: secs, command: { type: type.trim(), command, options } };
  return id === undefined ? { case: 'addAction', value } : { case: 'setAction', value: { id: wireId(id), ...value } };
}

/** Writes an action in a line. */
export function actionText({ type, command }: Pick<TaughtAction, 'type' | 'command'>): string {
  return command === '' ? type : `${type} ${command}`;
}

function shortTime(secs: number): string {
  return String(Number(secs.toFixed(3)));
}
