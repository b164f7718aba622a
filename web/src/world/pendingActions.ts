/** What GUIs hold until the world goes on, as everybody is told. */
import { PendingEntity_Change as Change, type GuiPending, type PendingAction as ActionMessage, type PendingActions, type PendingEntity as EntityMessage } from '../protocol/generated/retake/msgs/paused_pb';
import { entityIdOf, KINDS, type EntityId, type Kind } from './entity';

export interface PendingGui {
  /** Its number at the server. */
  readonly id: number;
  readonly name: string;
  readonly actions: readonly PendingAction[];
  /** Actions beyond those listed. */
  readonly more: number;
}

export interface PendingAction {
  /** Of the user command. */
  readonly id: string;
  readonly author: string;
  readonly description: string;
  /** What it touches, at most a few. */
  readonly entities: readonly PendingEntity[];
  /** Why the server refused it; empty for one that waits. */
  readonly refused: string;
}

export interface PendingEntity {
  readonly id: EntityId;
  readonly change: 'made' | 'changed' | 'removed';
  /** Of an entity that is made. */
  readonly name: string;
  readonly kind: Kind;
  readonly parent: EntityId | undefined;
}

/** What one action does to one entity. */
export interface Touch {
  readonly action: PendingAction;
  readonly change: PendingEntity['change'];
}

export function pendingOf({ gui }: PendingActions): readonly PendingGui[] {
  return gui.map(guiOf).filter(({ actions, more }) => actions.length > 0 || more > 0);
}

/** Returns what waits for each entity, in the order of the actions. */
export function touchesOf(guis: readonly PendingGui[]): ReadonlyMap<EntityId, readonly Touch[]> {
  const touches = new Map<EntityId, Touch[]>();
  for (const action of guis.flatMap(({ actions }) => actions)) {
    for (const { id, change } of action.entities) {
      const known = touches.get(id) ?? [];
      known.push({ action, change });
      touches.set(id, known);
    }
  }
  return touches;
}

/** Returns what others touch, by the colour of who does it; `own` is the number of this page's GUI. */
export function touchedByOthers(guis: readonly PendingGui[], own: number | undefined, colorOf: (author: string) => string): ReadonlyMap<string, readonly EntityId[]> {
  const touched = new Map<string, EntityId[]>();
  for (const { author, entities, refused } of guis.filter(({ id }) => id !== own).flatMap(({ actions }) => actions)) {
    if (refused === '' && entities.length > 0) {
      const color = colorOf(author);
      touched.set(color, [...(touched.get(color) ?? []), ...entities.map((entity) => entity.id)]);
    }
  }
  return touched;
}

/** Says in one line who does what. */
export function touchText({ action }: Touch): string {
  const when = action.refused === '' ? 'when the world goes on' : `refused: ${action.refused}`;
  return `${action.author}: ${action.description}, ${when}`;
}

function guiOf({ gui, name, action, more }: GuiPending): PendingGui {
  return { id: Number(gui), name, actions: action.map(actionOf), more: Number(more) };
}

function actionOf({ id, author, description, entity, refused }: ActionMessage): PendingAction {
  return { id, author, description, entities: entity.flatMap(entityOf), refused };
}

function entityOf({ id, change, name, kind, parent }: EntityMessage): readonly PendingEntity[] {
  const changes: ReadonlyMap<Change, PendingEntity['change']> = new Map([
    [Change.MADE, 'made'],
    [Change.CHANGED, 'changed'],
    [Change.REMOVED, 'removed'],
  ]);
  const known = changes.get(change);
  const holder = entityIdOf(parent);
  return known === undefined
    ? []
    : [{ id: entityIdOf(id), change: known, name, kind: KINDS.find((other) => other === kind) ?? 'unknown', parent: holder === 0 ? undefined : holder }];
}
