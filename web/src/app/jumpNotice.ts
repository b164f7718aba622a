/** What a person reads when the time has jumped. */
import { formatSimTime } from '../lib/format';
import type { Level } from '../panels/messages/model';
import type { TimeJump } from '../world/timeJump';

export interface Notice {
  readonly level: Level;
  readonly text: string;
}

/** Says who went where in time; `own` when it was this page. */
export function jumpNotice(jump: TimeJump, own: boolean): Notice {
  const deed = deedOf(jump, own ? '' : jump.author);
  return { level: jump.cause === 'failed step' ? 'warning' : 'info', text: `${deed}. ${wayOf(jump)}` };
}

function deedOf({ cause, description }: TimeJump, who: string): string {
  const what = description === '' ? 'a command' : `“${description}”`;
  switch (cause) {
    case 'undo':
      return sentence(who, `undid ${what}`);
    case 'redo':
      return sentence(who, `redid ${what}`);
    case 'reset':
      return sentence(who, 'reset the world');
    case 'resume':
      return sentence(who, resumeText(description));
    case 'failed step':
      return 'A step failed';
    default:
      return cause === '' ? 'The time jumped' : `The time jumped (${cause})`;
  }
}

/** The server words it as an order: “Resume from 1.500 s”, “Switch to main-1 at 5.710 s”, “Fork trial at 0.500 s”. */
function resumeText(description: string): string {
  const [, verb = '', rest = ''] = /^(\w+) (.*)$/u.exec(description) ?? [];
  const deeds: Readonly<Record<string, string>> = { Resume: 'resumed', Switch: 'switched', Fork: 'forked' };
  const deed = deeds[verb];
  return deed === undefined ? 'resumed from the past' : `${deed} ${rest}`;
}

function wayOf({ fromSecs, toSecs }: TimeJump): string {
  const [from, to] = [written(fromSecs), written(toSecs)];
  if (from === to) {
    return `The time is still ${to}`;
  }
  return `Time went ${toSecs < fromSecs ? 'back' : 'on'} from ${from} to ${to}`;
}

/** A number stays on one line with its unit. */
function written(secs: number): string {
  return formatSimTime(secs).replace(' ', '\u00a0');
}

function sentence(who: string, deed: string): string {
  return who === '' ? deed.charAt(0).toUpperCase() + deed.slice(1) : `${who} ${deed}`;
}
