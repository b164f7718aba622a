/**
 * Edits of drafts on their way to the host: one at a time and in order. What one drag asks for while
 * another edit is under way becomes a single edit, so that nobody asks for more than the host follows.
 */
import type { EditBody } from '../world/teaching';

export interface SentEdit {
  readonly robot: string;
  readonly edit: EditBody;
  readonly stroke: string;
}

/** More edits than this wait for nobody: the newest is refused. */
const MOST_WAITING = 64;

type Answer = readonly string[];

/** Who waits for the answer to an edit. */
interface Asker {
  readonly resolve: (made: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Waiting {
  sent: SentEdit;
  readonly askers: Asker[];
}

export class DraftEdits {
  private waiting: Waiting[] = [];
  private underWay = false;

  constructor(private readonly send: (sent: SentEdit) => Promise<Answer>) {}

  /** Sends an edit after those before it; resolves to the ids of what it made. */
  edit(sent: SentEdit): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.add(sent, { resolve, reject });
    });
  }

  /** Forgets what waits. */
  clear(): void {
    const error = new Error('The connection was lost');
    this.waiting.flatMap(({ askers }) => askers).forEach(({ reject }) => {
      reject(error);
    });
    this.waiting = [];
  }

  private add(sent: SentEdit, asker: Asker): void {
    const last = this.waiting.at(-1);
    const joined = last === undefined ? undefined : joinEdits(last.sent, sent);
    if (last !== undefined && joined !== undefined) {
      last.sent = joined;
      last.askers.push(asker);
    } else if (this.waiting.length >= MOST_WAITING) {
      asker.reject(new Error('Too many edits are waiting. Try again in a moment'));
    } else {
      this.waiting.push({ sent, askers: [asker] });
      if (!this.underWay) {
        void this.run();
      }
    }
  }

  private async run(): Promise<void> {
    this.underWay = true;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      const { sent, askers } = next;
      try {
        const made = await this.send(sent);
        askers.forEach(({ resolve }) => { resolve(made); });
      } catch (error) {
        askers.forEach(({ reject }) => { reject(error); });
      }
    }
    this.underWay = false;
  }
}

/** Makes one edit of two that follow one another; undefined when both are needed. */
export function joinEdits(first: SentEdit, second: SentEdit): SentEdit | undefined {
  if (first.stroke === '' || first.stroke !== second.stroke || first.robot !== second.robot) {
    return undefined;
  }
  const edit = joinBodies(first.edit, second.edit);
  return edit && { ...second, edit };
}

function joinBodies(first: EditBody, second: EditBody): EditBody | undefined {
  if (first.case === 'time' && second.case === 'time') {
    return first.value.id === second.value.id ? second : undefined;
  }
  if (first.case === 'position' && second.case === 'position') {
    return first.value.id === second.value.id && first.value.joint === second.value.joint ? second : undefined;
  }
  if (first.case === 'setAction' && second.case === 'setAction') {
    return first.value.id === second.value.id ? second : undefined;
  }
  if (first.case === 'moveWaypoints' && second.case === 'moveWaypoints') {
    // Each says how far to go from where the waypoints are by then.
    const same = String(first.value.id) === String(second.value.id);
    return same ? { case: 'moveWaypoints', value: { ...second.value, by: (first.value.by ?? 0) + (second.value.by ?? 0) } } : undefined;
  }
  return undefined;
}
