/** What people change in the world, what waits for it to go on, and where they disagreed. */
import { discardAction } from '../commands/discardAction';
import { copyEntity, insertEntity, type Insertion } from '../commands/insertEntity';
import type { Sender } from '../commands/send';
import { renameEntity, setField, type FieldEdit } from '../commands/setComponent';
import type { Pose } from '../lib/pose';
import { withConflict, without } from '../panels/messages/conflicts';
import type { About, Level } from '../panels/messages/model';
import type { ComponentFields } from '../protocol/generated/retake/msgs/component_pb';
import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { EditConflict, PendingActions } from '../protocol/generated/retake/msgs/paused_pb';
import { conflictOf, conflictText, type Conflict } from '../world/conflict';
import { entityIdOf, type EntityId } from '../world/entity';
import { FieldTable } from '../world/fields';
import { pendingOf, type PendingGui } from '../world/pendingActions';

/** What editing needs of the session. */
export interface Surroundings {
  say(level: Level, text: string, about?: About): void;
  /** Selects an entity as soon as the mirror has it. */
  selectWhenHere(id: EntityId): void;
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

  /** Inserts something and selects it once it is here. */
  async insert(insertion: Insertion): Promise<void> {
    this.selectFirst(await insertEntity(this.sender, insertion));
  }

  /** Copies something and selects the copy once it is here. */
  async copy(entity: EntityId, pose: Pose): Promise<void> {
    this.selectFirst(await copyEntity(this.sender, entity, pose));
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

  private selectFirst({ entities: [first] }: Reply): void {
    if (first !== undefined) {
      this.around.selectWhenHere(entityIdOf(first));
    }
  }
}
