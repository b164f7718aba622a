/** Pulls the link under the pointer while the world runs: with Ctrl, or with the tool for it. */
import type { Pulling } from '../../commands/pulling';
import type { Vec3 } from '../../lib/pose';
import type { EntityId } from '../../world/entity';
import type { PoseStore } from '../../world/poses';
import type { World } from '../../world/world';
import type { SceneEngine } from './engine';
import { linkToHold, pointInLink, pointInWorld } from './hold';
import { hasMoved, type Pointing, type PointerTool } from './pointing';

type Point = readonly [number, number];

/** From where a link is held to where it is pulled, in pixels. */
export interface PullLine {
  readonly from: Point;
  readonly to: Point;
}

export interface PullContext {
  readonly engine: () => SceneEngine | undefined;
  readonly world: World;
  readonly poses: PoseStore;
  readonly pulling: Pulling;
  /** Whether the pointer pulls without a key. */
  readonly inHand: () => boolean;
  /** Whether links can be pulled now: the world runs. */
  readonly possible: () => boolean;
  /** It was a click after all. */
  readonly clicked: (at: Pointing) => void;
  readonly changed: () => void;
}

interface Held {
  readonly link: EntityId;
  readonly point: Vec3;
  readonly start: Vec3;
  readonly down: Pointing;
  target: Vec3;
  moved: boolean;
}

export class PullTool implements PointerTool {
  private held: Held | undefined;

  constructor(private readonly context: PullContext) {}

  press(at: Pointing): boolean {
    const { engine, world, poses, inHand, possible } = this.context;
    const wanted = possible() && !at.shift && (inHand() || at.ctrl);
    const hit = wanted ? engine()?.sight.pick(at.x, at.y) : undefined;
    const link = hit && linkToHold(world, hit.visual);
    if (hit === undefined || link === undefined) {
      return false;
    }
    const point = pointInLink(poses.worldPose(link), hit.point);
    this.held = { link, point, start: hit.point, down: at, target: hit.point, moved: false };
    return true;
  }

  drag(at: Pointing): void {
    const { held } = this;
    const target = held && this.context.engine()?.sight.pointFacing(at.x, at.y, held.start);
    if (held === undefined || target === undefined || (!held.moved && !hasMoved(held.down, at))) {
      return;
    }
    held.moved = true;
    held.target = target;
    const { pulling, world } = this.context;
    pulling.use({ link: held.link, point: held.point, target }, world.pathOf(held.link));
    this.context.changed();
  }

  release(at: Pointing): void {
    const { held } = this;
    this.drop();
    if (held?.moved === true) {
      this.context.pulling.release();
    } else if (held !== undefined) {
      this.context.clicked(at);
    }
  }

  cancel(): boolean {
    const pulled = this.held?.moved === true;
    this.drop();
    if (pulled) {
      this.context.pulling.release();
    }
    return pulled;
  }

  /** Nothing is in hand any more. */
  drop(): void {
    this.held = undefined;
    this.context.changed();
  }

  line(): PullLine | undefined {
    const { held } = this;
    const engine = this.context.engine();
    if (held?.moved !== true || engine === undefined) {
      return undefined;
    }
    const from = engine.sight.screenOf(pointInWorld(this.context.poses.worldPose(held.link), held.point));
    const to = engine.sight.screenOf(held.target);
    return from === undefined || to === undefined ? undefined : { from, to };
  }
}
