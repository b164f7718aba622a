/** The handles at what is selected: where they stand, what holds them, and what comes of a drag. */
import type { Move } from '../../../commands/moveEntities';
import type { Scaling } from '../../../commands/scaleEntities';
import { Emitter } from '../../../lib/emitter';
import { multiplyQuat, type Pose, type Quat, type Vec3 } from '../../../lib/pose';
import { minus } from '../../../lib/vector';
import type { EntityId } from '../../../world/entity';
import type { PoseStore } from '../../../world/poses';
import type { SceneEngine } from '../engine';
import type { Optimism } from '../optimism';
import type { Pointing, PointerTool } from '../pointing';
import type { Shown } from '../preview';
import { changeAt, changeBy, changedPose, NO_CHANGE, type Change, type Grip, type Handle, type Steps, type TransformMode } from './drag';
import { figuresOf, handleAt, type Figure, type Stand } from './figures';

/** Sends what a drag has done; resolves to whether the server agreed. */
export interface TransformEdits {
  move(moves: readonly Move[]): Promise<boolean>;
  scale(scalings: readonly Scaling[]): Promise<boolean>;
}

export interface TransformUse {
  /** Undefined shows no handles. */
  readonly mode: TransformMode | undefined;
  /** The last one carries the handles. */
  readonly ids: readonly EntityId[];
  readonly local: boolean;
  readonly stepping: boolean;
  readonly steps: Steps;
}

export interface TransformContext {
  readonly engine: () => SceneEngine | undefined;
  readonly poses: PoseStore;
  readonly optimism: Optimism;
  readonly edits: TransformEdits;
}

interface Dragged {
  readonly grip: Grip;
  readonly starts: ReadonlyMap<EntityId, Pose>;
  change: Change;
  last: Pointing;
  /** What was typed meanwhile; empty lets the pointer say how far. */
  typed: string;
}

/** Length of the handles in pixels. */
const SIZE_PX = 88;
/** Longer numbers are no lengths. */
const MOST_TYPED = 12;
const UPRIGHT: Quat = [0, 0, 0, 1];
const UNSCALED: Vec3 = [1, 1, 1];

export class TransformTool implements PointerTool {
  /** What the handles look like, or what is in hand, is another. */
  readonly changed = new Emitter<undefined>();
  figures: readonly Figure[] = [];
  private using: TransformUse = { mode: undefined, ids: [], local: false, stepping: false, steps: { metres: 0, degrees: 0, factor: 0 } };
  private dragged: Dragged | undefined;
  private hovered: Handle | undefined;

  constructor(private readonly context: TransformContext) {}

  /** The handle under the pointer or in hand. */
  get lit(): Handle | undefined {
    return this.dragged?.grip.handle ?? this.hovered;
  }

  get dragging(): boolean {
    return this.dragged !== undefined;
  }

  /** Where the thing that carries the handles is shown, and how much larger. */
  get shown(): Shown | undefined {
    const id = this.using.ids.at(-1);
    return id === undefined ? undefined : (this.context.engine()?.shownAt(id) ?? { pose: this.context.poses.worldPose(id), factor: UNSCALED });
  }

  use(using: TransformUse): void {
    const { mode, ids } = this.using;
    const same = mode === using.mode && ids.length === using.ids.length && ids.every((id, n) => id === using.ids[n]);
    if (!same) {
      this.cancel();
    }
    this.using = using;
    this.place();
  }

  /** Puts the handles where the thing is shown now. */
  place(): void {
    const engine = this.context.engine();
    const stand = engine && this.stand();
    const next = stand === undefined ? [] : figuresOf(stand, (point) => engine?.sight.screenOf(point));
    if (next.length > 0 || this.figures.length > 0) {
      this.figures = next;
      this.changed.emit(undefined);
    }
  }

  press(at: Pointing): boolean {
    const engine = this.context.engine();
    const stand = this.stand();
    const handle = handleAt(this.figures, [at.px, at.py]);
    if (engine === undefined || stand === undefined || handle === undefined) {
      return false;
    }
    const starts = new Map(this.using.ids.map((id) => [id, this.context.poses.worldPose(id)]));
    this.dragged = { grip: { ...stand, handle, start: engine.sight.rayAt(at.x, at.y) }, starts, change: NO_CHANGE, last: at, typed: '' };
    this.showDragged();
    return true;
  }

  drag(at: Pointing): void {
    const ray = this.context.engine()?.sight.rayAt(at.x, at.y);
    if (this.dragged !== undefined && this.dragged.typed !== '') {
      this.dragged.last = at;
    } else if (this.dragged !== undefined && ray !== undefined) {
      // Ctrl turns the steps round for as long as it is held.
      const steps = this.using.stepping === at.ctrl ? undefined : this.using.steps;
      this.dragged.change = changeAt(this.dragged.grip, ray, this.dragged.change, steps);
      this.dragged.last = at;
      this.showDragged();
    }
  }

  release(at: Pointing): void {
    this.drag(at);
    const { dragged } = this;
    this.dragged = undefined;
    this.hovered = undefined;
    if (dragged !== undefined) {
      this.send(dragged);
    }
  }

  hover(at: Pointing | undefined): void {
    const hovered = at === undefined ? undefined : handleAt(this.figures, [at.px, at.py]);
    if (hovered !== this.hovered) {
      this.hovered = hovered;
      this.changed.emit(undefined);
    }
  }

  cancel(): boolean {
    const { dragged } = this;
    this.dragged = undefined;
    if (dragged !== undefined) {
      this.context.engine()?.showWhereTheyAre([...dragged.starts.keys()]);
      this.changed.emit(undefined);
    }
    return dragged !== undefined;
  }

  /** What is typed while something is in hand. */
  get typed(): string {
    return this.dragged?.typed ?? '';
  }

  /** Takes a key of a number while something is in hand; says whether it was one. Enter puts it down. */
  type(key: string): boolean {
    const { dragged } = this;
    if (dragged === undefined || !(/^[-\d.]$/.test(key) || key === 'Backspace' || key === 'Enter')) {
      return false;
    }
    if (key === 'Enter') {
      this.release(dragged.last);
      return true;
    }
    dragged.typed = key === 'Backspace' ? dragged.typed.slice(0, -1) : (dragged.typed + key).slice(0, MOST_TYPED);
    const value = Number(dragged.typed);
    if (dragged.typed === '') {
      this.drag(dragged.last);
    } else if (Number.isFinite(value)) {
      dragged.change = changeBy(dragged.grip, value) ?? dragged.change;
      this.showDragged();
    }
    return true;
  }

  /** Ctrl was pressed or let go of while the pointer rests. */
  rekey(ctrl: boolean): void {
    if (this.dragged !== undefined) {
      this.drag({ ...this.dragged.last, ctrl });
    }
  }

  /** Puts the thing that carries the handles somewhere by numbers; the others go along. */
  putAt(pose: Pose): void {
    const shown = this.shown;
    const mode = this.using.mode;
    if (shown === undefined || mode === undefined) {
      return;
    }
    const [x, y, z, w] = shown.pose.rotation;
    const moves = this.using.ids.map((id): readonly [EntityId, Pose] => {
      const start = this.context.poses.worldPose(id);
      const offset = minus(pose.position, shown.pose.position);
      const turn = mode === 'rotate' ? multiplyQuat(pose.rotation, [-x, -y, -z, w]) : UPRIGHT;
      return [id, changedPose(start, shown.pose.position, { ...NO_CHANGE, offset, turn })];
    });
    this.sendMoves(mode, new Map(moves));
  }

  /** Makes the things larger or smaller by numbers. */
  scaleBy(factor: Vec3): void {
    this.sendFactors(new Map(this.using.ids.map((id) => [id, this.context.poses.worldPose(id)])), factor);
  }

  private stand(): Stand | undefined {
    const { mode, local } = this.using;
    const engine = this.context.engine();
    const pose = this.dragged === undefined || mode !== 'rotate' ? this.shown?.pose : this.dragged.starts.get(this.using.ids.at(-1) ?? 0);
    if (mode === undefined || pose === undefined || engine === undefined) {
      return undefined;
    }
    const pivot = pose.position;
    return {
      mode,
      pivot,
      // A thing can be scaled only along its own axes.
      axes: local || mode === 'scale' ? pose.rotation : UPRIGHT,
      toEye: engine.sight.toEye(pivot),
      size: SIZE_PX * engine.sight.metresPerPixel(pivot),
    };
  }

  private showDragged(): void {
    const { dragged } = this;
    const engine = this.context.engine();
    if (dragged !== undefined && engine !== undefined) {
      for (const [id, shown] of shownBy(dragged)) {
        engine.showAt(id, shown);
      }
      this.changed.emit(undefined);
    }
  }

  private send(dragged: Dragged): void {
    const { grip, change, starts } = dragged;
    const still = change.offset.every((part) => part === 0) && change.angle === 0 && change.factor.every((part) => part === 1);
    if (still) {
      this.context.engine()?.showWhereTheyAre([...starts.keys()]);
    } else if (grip.mode === 'scale') {
      this.sendFactors(starts, change.factor);
    } else {
      this.sendMoves(grip.mode, new Map([...shownBy(dragged)].map(([id, { pose }]) => [id, pose])));
    }
    this.changed.emit(undefined);
  }

  private sendMoves(mode: TransformMode, poses: ReadonlyMap<EntityId, Pose>): void {
    // A move names no rotation and a turn of one thing no place: others may change those meanwhile.
    const moves = [...poses].map(([entity, { position, rotation }]): Move => {
      const turns = mode === 'rotate';
      return { entity, position: turns && poses.size === 1 ? undefined : position, rotation: turns ? rotation : undefined };
    });
    const shown = new Map([...poses].map(([id, pose]) => [id, { pose, factor: UNSCALED }]));
    void this.context.optimism.carryOut(shown, () => this.context.edits.move(moves));
  }

  private sendFactors(starts: ReadonlyMap<EntityId, Pose>, factor: Vec3): void {
    const shown = new Map([...starts].map(([id, pose]) => [id, { pose, factor }]));
    const scalings = [...starts.keys()].map((entity) => ({ entity, factor }));
    void this.context.optimism.carryOut(shown, () => this.context.edits.scale(scalings));
  }
}

function shownBy({ grip, starts, change }: Dragged): ReadonlyMap<EntityId, Shown> {
  return new Map([...starts].map(([id, start]) => [id, { pose: changedPose(start, grip.pivot, change), factor: change.factor }]));
}
