/** Sends what a person edits and remembers it until the mirror shows it; see `edits.ts`. */
import type { FieldEdit as SentEdit } from '../../commands/setComponent';
import { errorText } from '../../lib/errorText';
import type { FieldValue } from '../../world/fieldValue';
import { agreed, hasFollowed, noEntries, refused, shownValue, wished, withEntry, type FieldEdit, type Step } from './edits';
import type { EditorRow } from './section';

/** Sends one edit; fails with a text for people. */
export type SendEdit = (edit: SentEdit) => Promise<unknown>;

/** How long a field shows what the server agreed to when the mirror says nothing new. */
const FOLLOW_MS = 1_500;

type Target = Pick<EditorRow, 'key' | 'entity' | 'field' | 'path'>;

/** What was typed is none for the field. */
interface Problem {
  readonly reason: string;
  /** Which of several numbers it was typed for; undefined: all of the field. */
  readonly part: string | undefined;
}

export class EditSender {
  private edits: ReadonlyMap<string, FieldEdit> = $state.raw(noEntries());
  /** What was typed and could not even be sent. */
  private problems: ReadonlyMap<string, Problem> = $state.raw(noEntries());

  constructor(private readonly send: SendEdit) {}

  /** What a field shows now. */
  shown({ key, mirror }: Pick<EditorRow, 'key' | 'mirror'>): FieldValue {
    return shownValue(this.edits.get(key), mirror);
  }

  /** Whether an answer is outstanding. */
  waiting(key: string): boolean {
    return this.edits.get(key)?.state === 'waiting';
  }

  /** Why the last edit of a field was refused. */
  reason(key: string): string | undefined {
    const edit = this.edits.get(key);
    return this.problems.get(key)?.reason ?? (edit?.state === 'refused' ? edit.reason : undefined);
  }

  /** Whether one of several numbers of a field is among those that were refused. */
  isWrong(key: string, part: string): boolean {
    const problem = this.problems.get(key);
    if (problem !== undefined) {
      return problem.part === undefined || problem.part === part;
    }
    const edit = this.edits.get(key);
    return edit?.state === 'refused' && (edit.parts.length === 0 || edit.parts.includes(part));
  }

  /** A person wants a field to have a value; `part` is the one of several numbers that changes. */
  wish(row: Target & Pick<EditorRow, 'mirror'>, value: FieldValue, { gesture = '', part }: { gesture?: string; part?: string | undefined } = {}): void {
    this.problems = withEntry(this.problems, row.key, undefined);
    const parts = part === undefined ? [] : [part];
    this.take(row, wished(this.edits.get(row.key), { value, gesture, parts }, row.mirror));
  }

  /** What was typed cannot even be sent. */
  refuse({ key }: Pick<EditorRow, 'key'>, reason: string, part?: string): void {
    this.problems = withEntry(this.problems, key, { reason, part });
  }

  /** Lets go of an edit that the mirror shows by now. */
  follow({ key, mirror }: Pick<EditorRow, 'key' | 'mirror'>): void {
    if (hasFollowed(this.edits.get(key), mirror)) {
      this.put(key, undefined);
    }
  }

  private take(target: Target, { edit, send }: Step): void {
    this.put(target.key, edit);
    if (send !== undefined) {
      const { entity, field, path } = target;
      const { value, gesture } = send;
      this.send({ entity, component: field.component, path, value, gesture }).then(
        () => {
          this.settle(target, agreed(this.edits.get(target.key)));
        },
        (error: unknown) => {
          const reason = errorText(error);
          this.settle(target, refused(this.edits.get(target.key), reason));
        },
      );
    }
  }

  private settle(target: Target, step: Step): void {
    this.take(target, step);
    const { edit } = step;
    if (edit?.state === 'agreed') {
      setTimeout(() => {
        if (this.edits.get(target.key) === edit) {
          this.put(target.key, undefined);
        }
      }, FOLLOW_MS);
    }
  }

  private put(key: string, edit: FieldEdit | undefined): void {
    this.edits = withEntry(this.edits, key, edit);
  }
}
