/**
 * Edits of this page that its history does not show yet.
 *
 * Whoever drags a thing and presses Ctrl+Z at once means that drag, not what was done before it. The
 * reply and the lists come by different ways, so an undo waits here for both.
 */
import type { History } from '../world/history';

/** How long a list that shows an edit may take after its reply; not every edit comes to be an entry. */
export const SHOWN_MS = 500;

/** A command on its way. */
export interface SentCommand {
  readonly id: string;
  /** Commands of one gesture are one entry, under the id of the first. */
  readonly gesture: string;
  /** Fails when it was refused. */
  readonly reply: Promise<unknown>;
}

interface Edit {
  readonly gesture: string;
  answered: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class OwnEdits {
  private readonly edits = new Map<string, Edit>();
  private history: History | undefined;

  /** `shown` is called when nothing is awaited any more. */
  constructor(private readonly shown: () => void) {}

  /** Whether an edit is still on its way into the lists. */
  get awaited(): boolean {
    return this.edits.size > 0;
  }

  add({ id, gesture, reply }: SentCommand): void {
    const edit: Edit = { gesture, answered: false, timer: undefined };
    this.edits.set(id, edit);
    reply.then(
      () => {
        this.answer(id, edit);
      },
      () => {
        this.drop(id, edit);
      },
    );
  }

  /** Takes in new lists. */
  use(history: History): void {
    this.history = history;
    for (const [id, edit] of [...this.edits]) {
      // A gesture that goes on leaves no trace in the lists: any that come after its reply have it.
      if (this.isListed(id) || (edit.answered && edit.gesture !== '')) {
        this.drop(id, edit);
      }
    }
  }

  /** Forgets everything, as when the connection begins anew. */
  clear(): void {
    for (const { timer } of this.edits.values()) {
      clearTimeout(timer);
    }
    this.edits.clear();
    this.history = undefined;
  }

  private answer(id: string, edit: Edit): void {
    if (this.edits.get(id) !== edit) {
      return; // The lists were faster, or the connection is another one since.
    }
    if (this.history?.enabled !== true || this.isListed(id)) {
      this.drop(id, edit);
      return;
    }
    edit.answered = true;
    edit.timer = setTimeout(() => {
      this.drop(id, edit);
    }, SHOWN_MS);
  }

  private drop(id: string, edit: Edit): void {
    if (this.edits.get(id) === edit) {
      clearTimeout(edit.timer);
      this.edits.delete(id);
      if (!this.awaited) {
        this.shown();
      }
    }
  }

  private isListed(id: string): boolean {
    return this.history?.undo.some((entry) => entry.id === id) ?? false;
  }
}
