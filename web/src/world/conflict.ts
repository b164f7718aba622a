/** Two people gave one field different values; the later one holds. */
import type { EditConflict, EditSide } from '../protocol/generated/retake/msgs/paused_pb';
import { entityIdOf, type EntityId } from './entity';
import type { FieldTable } from './fields';
import { fieldValueOf, type FieldValue } from './fieldValue';

export interface Conflict {
  readonly entity: EntityId;
  /** Path of the entity. */
  readonly name: string;
  readonly component: string;
  readonly path: string;
  /** What it is about, in words: `friction of box::link::collision`. */
  readonly subject: string;
  /** Whose value holds. */
  readonly won: Side;
  readonly lost: Side;
}

export interface Side {
  readonly author: string;
  readonly description: string;
  /** Absent when it cannot be set as a field, as of an entity that was deleted. */
  readonly value: FieldValue | undefined;
  /** The value as people read it. */
  readonly text: string;
}

export function conflictOf({ entity, name, component, field: path, won, lost }: EditConflict, table: FieldTable): Conflict {
  const field = table.at(component, path);
  // Units that go by the kind of a joint are left to the inspector.
  const unit = field === undefined || field.unit.includes('|') ? '' : field.unit;
  const words = field?.label.toLowerCase() ?? (path === '' ? component : path).replaceAll(/[._]+/g, ' ');
  const subject = `${words} of ${name}`;
  return { entity: entityIdOf(entity), name, component, path, subject, won: sideOf(won, unit), lost: sideOf(lost, unit) };
}

/** Says what happened, in a sentence. */
export function conflictText(conflict: Conflict): string {
  const { subject, won, lost } = conflict;
  return `${won.author} and ${lost.author} both set ${subject}: it is ${won.text} by ${won.author}, not ${lost.text} by ${lost.author}`;
}

/** Names the field that a conflict is about: a later one takes the place of an earlier one. */
export function conflictKey({ entity, component, path }: Conflict): string {
  return `${entity} ${component} ${path}`;
}

function sideOf(side: EditSide | undefined, unit: string): Side {
  const value = fieldValueOf(side?.value);
  return {
    author: side?.author ?? '',
    description: side?.description ?? '',
    value,
    text: `${side?.text ?? ''} ${value?.type === 'number' ? unit : ''}`.trim(),
  };
}
