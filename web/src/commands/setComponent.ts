import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { EntityId } from '../world/entity';
import { fieldValueMessage, type FieldValue } from '../world/fieldValue';
import { entityRef, sendUserCommand, type Sender } from './send';

/** One field of a component is to have another value. */
export interface FieldEdit {
  readonly entity: EntityId;
  readonly component: string;
  /** Where in the component. */
  readonly path: string;
  readonly value: FieldValue;
  /** Edits of one gesture, as a drag, carry the same; empty for an edit of its own. */
  readonly gesture: string;
}

/**
 * Changes one field and leaves all others of the component to whoever edits them. A component that
 * the entity does not have yet begins with its default.
 */
export function setField(sender: Sender, { entity, component, path, value, gesture }: FieldEdit): Promise<Reply> {
  const change = [{ field: path, value: fieldValueMessage(value) }];
  return sendUserCommand(sender, { case: 'setComponent', value: { entity: entityRef(entity), component, change } }, gesture);
}

/** Gives an entity another name. */
export function renameEntity(sender: Sender, entity: EntityId, name: string): Promise<Reply> {
  return setField(sender, { entity, component: 'name', path: '', value: { type: 'text', text: name }, gesture: '' });
}
