/** New things for the world: placed by the mouse, out of files, and copies of what is there. */
import { poseAt, type Insertion } from '../commands/insertEntity';
import { includeElement, sdfDocument } from '../commands/sdfText';
import type { Vec3 } from '../lib/pose';
import { filePose, insertOf, type Insert } from '../panels/insert/model';
import type { EntityId } from '../world/entity';
import type { LibraryModel } from '../world/library';
import { copiesAt, copiesBeside, type Original } from './copies';
import { canCopy } from './entityMenu';
import { topmost } from './selection.svelte';
import type { Session } from './session.svelte';

/** What placing and copying ask of the 3D view. */
export interface Surroundings {
  /** A free place for something of a width, near a place on the ground. */
  freePlace(widthMetres: number, near: readonly [number, number]): Vec3;
  /** A box around an entity; undefined when nothing of it is seen. */
  boundsOf(id: EntityId): { readonly min: Vec3; readonly max: Vec3 } | undefined;
  /** Where on the ground, or on a thing, the pointer is. */
  underPointer(): Vec3 | undefined;
}

/** Something new that waits for its place. */
interface Placing {
  readonly name: string;
  readonly sdf: string;
  readonly shape: ReturnType<typeof insertOf>['shape'];
  readonly heightMetres: number;
  readonly widthMetres: number;
}

/** The room that something out of a file gets, which nobody has looked into yet. */
const FILE_WIDTH_METRES = 1;

export class Arranging {
  /** Follows the pointer until a click puts it down. */
  placing: Placing | undefined = $state.raw();
  /** What was copied. */
  private clipboard: readonly EntityId[] = $state.raw([]);
  /** How often it was put beside its originals. */
  private pasted = 0;

  constructor(
    private readonly session: Session,
    private readonly view: () => Surroundings | undefined,
  ) {}

  /** Whether something was copied. */
  get pastable(): boolean {
    return this.clipboard.length > 0;
  }

  /** Takes something new in hand. */
  insert(what: Insert): void {
    const insertable = insertOf(what);
    this.placing = { name: insertable.shape === undefined ? `${what} light` : what, ...insertable };
  }

  /** Takes the model of a file in hand; one that says itself where it stands goes there. */
  async insertFile(file: File): Promise<void> {
    await this.session.attempt(async () => {
      const sdf = await file.text();
      if (filePose(sdf) !== undefined) {
        await this.session.editing.insert({ sdf });
        return;
      }
      this.placing = { name: 'model', sdf, shape: undefined, heightMetres: 0, widthMetres: FILE_WIDTH_METRES };
    });
  }

  /** Takes a model of the library in hand. */
  insertModel({ name, uri }: LibraryModel): void {
    this.placing = { name, sdf: sdfDocument(includeElement(uri)), shape: undefined, heightMetres: 0, widthMetres: FILE_WIDTH_METRES };
  }

  /** Puts down what is in hand. */
  place([x, y, z]: Vec3): void {
    const { placing } = this;
    this.placing = undefined;
    if (placing !== undefined) {
      const insertion: Insertion = { sdf: placing.sdf, pose: poseAt(x, y, z) };
      void this.session.attempt(() => this.session.editing.insert(insertion));
    }
  }

  /** Puts down what is in hand at the origin, or as near to it as there is room. */
  placeAtOrigin(): void {
    const { placing } = this;
    if (placing !== undefined) {
      const [x, y, z] = this.view()?.freePlace(placing.widthMetres, [0, 0]) ?? [0, 0, 0];
      this.place([x, y, z + placing.heightMetres]);
    }
  }

  /** Puts away what is in hand. */
  cancel(): void {
    this.placing = undefined;
  }

  /** Selected things that can be copied. */
  copyable(): readonly EntityId[] {
    const { world, selection } = this.session;
    return topmost(world, selection.ids).filter((id) => {
      const entity = world.entity(id);
      return entity !== undefined && canCopy(entity);
    });
  }

  /** Remembers what is selected. */
  copy(): void {
    const ids = this.copyable();
    if (ids.length === 0) {
      this.session.say('warning', 'Only models and lights can be copied. Select one', { toast: 'small' });
      return;
    }
    this.clipboard = ids;
    this.pasted = 0;
    const name = ids.length === 1 && ids[0] !== undefined ? this.session.world.pathOf(ids[0]) : `${ids.length} entities`;
    this.session.say('info', `Copied ${name}`, { toast: 'small' });
  }

  /** Puts what was copied under the mouse; beside the originals when the mouse is elsewhere. */
  paste(): void {
    const originals = this.originals(this.clipboard);
    if (originals.length === 0) {
      const text = this.clipboard.length === 0 ? 'Nothing is copied yet. Select something and press Ctrl+C' : 'What was copied is gone. Copy something else';
      this.session.say('warning', text, { toast: 'small' });
      return;
    }
    const place = this.view()?.underPointer();
    this.pasted += place === undefined ? 1 : 0;
    this.send(place === undefined ? copiesBeside(originals, this.pasted) : copiesAt(originals, place));
  }

  /** Puts a copy of what is selected beside it. */
  duplicate(): void {
    const originals = this.originals(this.copyable());
    if (originals.length > 0) {
      this.send(copiesBeside(originals));
    }
  }

  private originals(ids: readonly EntityId[]): readonly Original[] {
    const { world, poses } = this.session;
    return ids.filter((id) => world.entity(id) !== undefined).map((id) => ({ id, pose: poses.worldPose(id), bounds: this.view()?.boundsOf(id) }));
  }

  private send(copies: ReturnType<typeof copiesBeside>): void {
    void this.session.attempt(() => this.session.editing.copy(copies));
  }
}
