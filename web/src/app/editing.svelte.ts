/** What people change in the world, what waits for it to go on, and where they disagreed. */
import { copyEntities, type Copy } from '../commands/copyEntities';
import { discardAction } from '../commands/discardAction';
import { insertEntity, type Insertion } from '../commands/insertEntity';
import { fetchLibrary } from '../commands/library';
import { moveEntities, type Move } from '../commands/moveEntities';
import { scaleEntities, type Scaling } from '../commands/scaleEntities';
import type { Sender } from '../commands/send';
import { renameEntity, setField, type FieldEdit } from '../commands/setComponent';
import { snapEntity, type SurfacePlace } from '../commands/snapEntity';
import { withConflict, without } from '../panels/messages/conflicts';
import type { About, Level } from '../panels/messages/model';
import type { ComponentFields } from '../protocol/generated/retake/msgs/component_pb';
import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { EditConflict, PendingActions } from '../protocol/generated/retake/msgs/paused_pb';
import { conflictOf, conflictText, type Conflict } from '../world/conflict';
import { entityIdOf, type EntityId } from '../world/entity';
import { FieldTable } from '../world/fields';
import type { Library } from '../world/library';
import { pendingOf, type PendingGui } from '../world/pendingActions';

/** What editing needs of the session. */
export interface Surroundings {
  say(level: Level, text: string, about?: About): void;
  /**
   * Begins to wait for something new; what is returned selects it as soon as the mirror has it,
   * unless the person has chosen something else since.
   */
  awaiting(): (ids: readonly EntityId[]) => void;
}

export class Editing {
  /** What can be edited. */
  table: FieldTable = $state.raw(FieldTable.EMPTY);
  /** What GUIs hold until the world goes on. */
  pending: readonly PendingGui[] = $state.raw([]);
  /** Conflicts that nobody has answered yet. */
  conflicts: readonly Conflict[] = $state.raw([]);

  constructor(
    private readonly sender: Sender,
    private readonly around: Surroundings,
  ) {}

  /** Begins anew with a connection: whatever waited is told again. */
  begin(): void {
    this.pending = [];
  }

  useFields(message: ComponentFields): void {
    this.table = FieldTable.from(message);
  }

  usePending(message: PendingActions): void {
    this.pending = pendingOf(message);
  }

  useConflict(message: EditConflict): void {
    const conflict = conflictOf(message, this.table);
    this.conflicts = withConflict(this.conflicts, conflict);
    // It has a notice of its own, which stays.
    this.around.say('warning', conflictText(conflict), { toast: 'none' });
  }

  /** Changes one field; fails with a text for people. */
  edit(edit: FieldEdit): Promise<Reply> {
    return setField(this.sender, edit);
  }

  rename(entity: EntityId, name: string): Promise<Reply> {
    return renameEntity(this.sender, entity, name);
  }

  /** Asks which models can be inserted; fails with a text for people. */
  library(): Promise<Library> {
    return fetchLibrary(this.sender);
  }

  /** Inserts something and selects it once it is here, if the person waits for it. */
  async insert(insertion: Insertion): Promise<void> {
    const select = this.around.awaiting();
    const { entities } = await insertEntity(this.sender, insertion);
    select(entities.slice(0, 1).map(entityIdOf));
  }

  /** Copies things, as one entry of the history, and selects the copies once they are here. */
  async copy(copies: readonly Copy[]): Promise<void> {
    const select = this.around.awaiting();
    select(await copyEntities(this.sender, copies));
  }

  /** Puts things somewhere else, as one entry of the history. */
  move(moves: readonly Move[], description?: string): Promise<Reply> {
    return moveEntities(this.sender, moves, description);
  }

  /** Makes things larger or smaller, as one entry of the history. */
  scale(scalings: readonly Scaling[]): Promise<void> {
    return scaleEntities(this.sender, scalings);
  }

  /** Puts a place on one thing against a place on another. */
  snap(from: SurfacePlace, to: SurfacePlace): Promise<Reply> {
    return snapEntity(this.sender, from, to);
  }

  discard(id: string): Promise<Reply> {
    return discardAction(this.sender, id);
  }

  /** Gives the field of a conflict the value that did not hold. */
  async takeOther(conflict: Conflict): Promise<void> {
    const { entity, component, path, lost } = conflict;
    if (lost.value !== undefined) {
      await setField(this.sender, { entity, component, path, value: lost.value, gesture: '' });
      this.dismiss(conflict);
    }
  }

  dismiss(conflict: Conflict): void {
    this.conflicts = without(this.conflicts, conflict);
  }
}
