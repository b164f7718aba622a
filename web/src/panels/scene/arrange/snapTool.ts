/** Two clicks: a place on what is to move, and the place that it goes to. */
import type { SurfacePlace } from '../../../commands/snapEntity';
import type { EntityId } from '../../../world/entity';
import type { PoseStore } from '../../../world/poses';
import type { World } from '../../../world/world';
import type { SceneEngine } from '../engine';
import { pickTarget } from '../model';
import type { Optimism } from '../optimism';
import type { Pointing, PointerTool } from '../pointing';
import type { Hit } from '../sight';
import { placeInWorld, placeOn, snappedPose } from './snap';

export interface SnapContext {
  readonly engine: () => SceneEngine | undefined;
  readonly world: World;
  readonly poses: PoseStore;
  readonly optimism: Optimism;
  /** Whether the tool is in hand. */
  readonly inHand: () => boolean;
  readonly snap: (from: SurfacePlace, to: SurfacePlace) => Promise<boolean>;
  readonly onselect: (ids: readonly EntityId[]) => void;
  /** What is chosen or pointed at is another. */
  readonly changed: () => void;
}

export class SnapTool implements PointerTool {
  /** The place on what is to move. */
  from: SurfacePlace | undefined;
  /** Where the pointer is on a surface, in the world. */
  hovered: Hit | undefined;

  constructor(private readonly context: SnapContext) {}

  hover(at: Pointing | undefined): void {
    const before = this.hovered;
    this.hovered = this.context.inHand() && at !== undefined ? this.hitAt(at) : undefined;
    if (before !== undefined || this.hovered !== undefined) {
      this.preview();
      this.context.changed();
    }
  }

  click(at: Pointing): boolean {
    if (!this.context.inHand()) {
      return false;
    }
    const hit = this.hitAt(at);
    if (hit !== undefined && this.from === undefined) {
      this.begin(hit);
    } else if (hit !== undefined) {
      this.finish(hit);
    }
    this.context.changed();
    return true;
  }

  /** Puts the tool away. */
  drop(): void {
    this.cancel();
    this.hovered = undefined;
    this.context.changed();
  }

  cancel(): boolean {
    const { from } = this;
    this.from = undefined;
    if (from !== undefined) {
      this.context.engine()?.showWhereTheyAre([from.entity]);
      this.context.changed();
    }
    return from !== undefined;
  }

  private begin(hit: Hit): void {
    const { world, poses, onselect } = this.context;
    const entity = pickTarget(world, hit.visual, undefined);
    this.from = placeOn(entity, poses.worldPose(entity), hit);
    onselect([entity]);
  }

  private finish(hit: Hit): void {
    const { world, poses, optimism, snap } = this.context;
    const { from } = this;
    const target = pickTarget(world, hit.visual, undefined);
    if (from === undefined || target === from.entity) {
      return;
    }
    const to = placeOn(target, poses.worldPose(target), hit);
    const pose = snappedPose(poses.worldPose(from.entity), placeInWorld(from, poses.worldPose(from.entity)), hit);
    this.from = undefined;
    void optimism.carryOut(new Map([[from.entity, { pose, factor: [1, 1, 1] }]]), () => snap(from, to));
  }

  /** Shows the thing where a click would put it. */
  private preview(): void {
    const { from, hovered } = this;
    const engine = this.context.engine();
    if (from === undefined || engine === undefined) {
      return;
    }
    if (hovered === undefined || pickTarget(this.context.world, hovered.visual, undefined) === from.entity) {
      engine.showWhereTheyAre([from.entity]);
      return;
    }
    const pose = this.context.poses.worldPose(from.entity);
    engine.showAt(from.entity, { pose: snappedPose(pose, placeInWorld(from, pose), hovered), factor: [1, 1, 1] });
  }

  /** What the pointer points at; what is about to move is not in its way. */
  private hitAt({ x, y }: Pointing): Hit | undefined {
    const { engine, world } = this.context;
    const { from } = this;
    const isMoving = (visual: EntityId): boolean => from !== undefined && world.lineage(visual).some(({ id }) => id === from.entity);
    return engine()?.sight.pick(x, y, isMoving);
  }
}
