/** Two people gave one field different values; the later one holds. */
import type { EditConflict, EditSide } from '../protocol/generated/retake/msgs/paused_pb';
import { entityIdOf, type EntityId } from './entity';
import { fieldValueOf, type FieldValue } from './fieldValue';

export interface Conflict {
  readonly entity: EntityId;
  /** Path of the entity. */
  readonly name: string;
  readonly component: string;
  readonly path: string;
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

export function conflictOf({ entity, name, component, field, won, lost }: EditConflict): Conflict {
  return { entity: entityIdOf(entity), name, component, path: field, won: sideOf(won), lost: sideOf(lost) };
}

/** Says what happened, in a sentence. */
export function conflictText({ name, component, path, won, lost }: Conflict): string {
  const what = `${component}${path === '' ? '' : ` ${path.replaceAll(/[._]+/g, ' ')}`} of ${name}`;
  return `${won.author} and ${lost.author} both set ${what}: it is ${won.text} by ${won.author}, not ${lost.text} by ${lost.author}`;
}

/** Names the field that a conflict is about: a later one takes the place of an earlier one. */
export function conflictKey({ entity, component, path }: Conflict): string {
  return `${entity} ${component} ${path}`;
}

function sideOf(side: EditSide | undefined): Side {
  return {
    author: side?.author ?? '',
    description: side?.description ?? '',
    value: fieldValueOf(side?.value),
    text: side?.text ?? '',
  };
}
