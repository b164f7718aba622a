/** The tools of the view, in the order in which they may take the pointer, and what is seen of them. */
import type { Move } from '../../commands/moveEntities';
import type { Pulling } from '../../commands/pulling';
import type { SurfacePlace } from '../../commands/snapEntity';
import type { Vec3 } from '../../lib/pose';
import type { EntityId } from '../../world/entity';
import type { PoseStore } from '../../world/poses';
import type { World } from '../../world/world';
import { AlignTool } from './arrange/alignTool';
import { placeInWorld } from './arrange/snap';
import { SnapTool } from './arrange/snapTool';
import { Choosing, type Rectangle } from './choosing';
import type { SceneEngine } from './engine';
import { markOf, type Mark } from './marks';
import type { MeasureKind } from './measure/measure';
import { MeasureTool, type Shown as Measured } from './measure/measureTool';
import { Optimism } from './optimism';
import { placeFor } from './place/place';
import { PlaceTool } from './place/placeTool';
import { PointerChain, type Pointing } from './pointing';
import type { Shown } from './preview';
import { PullTool, type PullLine } from './pullTool';
import type { Tools } from './tools.svelte';
import { TransformTool, type TransformEdits } from './transform/tool';

/** What the tools send; each resolves to whether the server agreed. */
export interface SceneEdits extends TransformEdits {
  align(moves: readonly Move[], description: string): Promise<boolean>;
  snap(from: SurfacePlace, to: SurfacePlace): Promise<boolean>;
}

/** What the tools need of the view. */
export interface SceneContext {
  readonly engine: () => SceneEngine | undefined;
  readonly world: World;
  readonly poses: PoseStore;
  readonly pulling: Pulling;
  readonly tools: Tools;
  readonly edits: SceneEdits;
  readonly selection: () => readonly EntityId[];
  /** Whether links can be pulled now: the world runs. */
  readonly pullable: () => boolean;
  readonly onselect: (ids: readonly EntityId[]) => void;
  readonly onplace: (position: Vec3) => void;
  readonly oncancelplacing: () => void;
}

/** How often numbers follow what moves by itself; more is a blur to read. */
const NUMBERS_MS = 100;

export class SceneTools {
  /** Whether the pointer pulls without a key. */
  pullInHand = $state(false);
  pullLine: PullLine | undefined = $state.raw();
  box: Rectangle | undefined = $state.raw();
  /** Where the pointer is on a surface, and the place that was chosen. */
  marks: readonly Mark[] = $state.raw([]);
  /** Whether the first place of a snap is chosen. */
  snapping = $state(false);
  /** Where the thing with the handles is shown. */
  held: Shown | undefined = $state.raw();
  /** What is typed while something is in hand. */
  typed = $state('');
  /** Whether the pointer is at a handle, or has one. */
  atHandle = $state(false);

  measured: readonly Measured[] = $state.raw([]);
  measuring: { readonly kind: MeasureKind; readonly chosen: number; readonly count: number } = $state.raw({ kind: 'distance', chosen: 0, count: 0 });

  readonly transform: TransformTool;
  readonly measure: MeasureTool;
  readonly align: AlignTool;
  readonly place: PlaceTool;
  readonly pull: PullTool;
  readonly snap: SnapTool;
  readonly chain: PointerChain;
  /** Where the pointer is while it is in the view. */
  private pointer: Pointing | undefined;
  private heldMs = 0;
  private heldTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly context: SceneContext) {
    const { engine, world, poses, pulling, tools, edits, selection, pullable, onselect, onplace, oncancelplacing } = context;
    const optimism = new Optimism(engine, world, poses);
    const choosing = new Choosing({ engine, world, selection, onselect, changed: (box) => (this.box = box) });
    this.pull = new PullTool({
      engine, world, poses, pulling,
      inHand: () => this.pullInHand,
      possible: pullable,
      clicked: (at) => choosing.click(at),
      changed: () => (this.pullLine = this.pull.line()),
    });
    this.transform = new TransformTool({ engine, poses, optimism, edits });
    this.snap = new SnapTool({
      engine, world, poses, optimism, onselect,
      inHand: () => tools.tool === 'snap',
      snap: (from, to) => edits.snap(from, to),
      changed: () => {
        this.placeMarks();
      },
    });
    this.measure = new MeasureTool({
      engine, world, poses,
      inHand: () => tools.tool === 'measure',
      changed: () => {
        this.placeMeasures();
      },
    });
    this.align = new AlignTool({ engine, world, poses, optimism, move: (moves, description) => edits.align(moves, description) });
    this.place = new PlaceTool({ engine, stepping: () => tools.stepping, steps: () => tools.steps, onplace, oncancel: oncancelplacing });
    this.chain = new PointerChain([this.place, this.transform, this.pull, this.snap, this.measure, choosing]);
  }

  /** Another tool is in hand, other things are selected, or the tool works otherwise. */
  use(movable: readonly EntityId[]): void {
    const { tool, local, stepping, steps } = this.context.tools;
    const mode = tool === 'translate' || tool === 'rotate' || tool === 'scale' ? tool : undefined;
    this.transform.use({ mode, ids: movable, local, stepping, steps });
    if (tool !== 'snap') {
      this.snap.drop();
    }
    if (tool !== 'align') {
      this.align.preview([], undefined);
    }
    if (tool !== 'measure') {
      this.measure.drop();
    }
    this.heldMs = 0;
    this.followHeld();
  }

  /** A frame was drawn: what lies over the view goes where its things are. */
  follow(): void {
    this.pullLine = this.pull.line();
    this.transform.place();
    this.placeMarks();
    if (this.measured.length > 0) {
      this.placeMeasures();
    }
  }

  move(at: Pointing): void {
    this.pointer = at;
    this.chain.move(at);
  }

  leave(): void {
    this.pointer = undefined;
    this.chain.leave();
  }

  /** Where on the ground, or on a thing, the pointer is; undefined when it is not in the view. */
  underPointer(): Vec3 | undefined {
    const sight = this.context.engine()?.sight;
    const { pointer } = this;
    return pointer && sight && placeFor({ heightMetres: 0, widthMetres: 0 }, sight.rayAt(pointer.x, pointer.y), sight.pick(pointer.x, pointer.y), undefined);
  }

  /** Numbers follow a drag at once, and what moves by itself as fast as one can read. */
  followHeld(): void {
    const now = performance.now();
    const next = this.transform.shown;
    this.typed = this.transform.typed;
    this.atHandle = this.transform.lit !== undefined;
    if (next === undefined || this.transform.dragging || now - this.heldMs > NUMBERS_MS) {
      this.held = next;
      this.heldMs = now;
    } else {
      // What came too soon is shown late: it may have been the last of it.
      this.heldTimer ??= setTimeout(() => {
        this.heldTimer = undefined;
        this.followHeld();
      }, NUMBERS_MS);
    }
  }

  dispose(): void {
    clearTimeout(this.heldTimer);
  }

  private placeMeasures(): void {
    const { kind, chosen, count } = this.measure;
    this.measured = this.measure.shown();
    if (kind !== this.measuring.kind || chosen !== this.measuring.chosen || count !== this.measuring.count) {
      this.measuring = { kind, chosen, count };
    }
  }

  private placeMarks(): void {
    const { from, hovered } = this.snap;
    this.snapping = from !== undefined;
    if (this.marks.length > 0 || from !== undefined || hovered !== undefined) {
      const engine = this.context.engine();
      const chosen = from && placeInWorld(from, engine?.shownAt(from.entity)?.pose ?? this.context.poses.worldPose(from.entity));
      this.marks = [chosen, hovered].flatMap((place) => markOf(engine, place));
    }
  }
}
