/** Clicks that measure. Places stay on the things that they are on, so that what moves is measured on. */
import type { Vec3 } from '../../../lib/pose';
import type { EntityId } from '../../../world/entity';
import type { PoseStore } from '../../../world/poses';
import type { World } from '../../../world/world';
import type { SceneEngine } from '../engine';
import { pointInLink, pointInWorld } from '../hold';
import type { Pointing, PointerTool } from '../pointing';
import { drawnOf, placesOf, type Drawn, type MeasureKind } from './measure';

export interface MeasureContext {
  readonly engine: () => SceneEngine | undefined;
  readonly world: World;
  readonly poses: PoseStore;
  /** Whether the tool is in hand. */
  readonly inHand: () => boolean;
  readonly changed: () => void;
}

/** A place on a thing, in its frame. */
interface Place {
  readonly entity: EntityId;
  readonly point: Vec3;
}

interface Measurement {
  readonly id: number;
  readonly places: readonly Place[];
}

/** A measurement as it is seen; the one that is being made has no id. */
export interface Shown extends Drawn {
  readonly id: number | undefined;
}

/** More measurements than this hide what they measure: the oldest goes. */
const MOST = 50;

export class MeasureTool implements PointerTool {
  kind: MeasureKind = 'distance';
  private done: readonly Measurement[] = [];
  private places: readonly Place[] = [];
  private hovered: Place | undefined;
  private nextId = 1;

  constructor(private readonly context: MeasureContext) {}

  /** How many measurements there are. */
  get count(): number {
    return this.done.length;
  }

  /** How many places of the next one are chosen. */
  get chosen(): number {
    return this.places.length;
  }

  use(kind: MeasureKind): void {
    this.kind = kind;
    this.places = [];
    this.context.changed();
  }

  hover(at: Pointing | undefined): void {
    const before = this.hovered;
    this.hovered = this.context.inHand() && at !== undefined ? this.placeAt(at) : undefined;
    if (before !== undefined || this.hovered !== undefined) {
      this.context.changed();
    }
  }

  click(at: Pointing): boolean {
    if (!this.context.inHand()) {
      return false;
    }
    const place = this.placeAt(at);
    if (place !== undefined) {
      this.add(place);
    }
    this.context.changed();
    return true;
  }

  cancel(): boolean {
    const busy = this.places.length > 0;
    this.places = [];
    this.context.changed();
    return busy;
  }

  /** Puts the tool away; what is measured stays. */
  drop(): void {
    this.hovered = undefined;
    this.cancel();
  }

  remove(id: number): void {
    this.done = this.done.filter((measurement) => measurement.id !== id);
    this.context.changed();
  }

  clear(): void {
    this.done = [];
    this.cancel();
  }

  /** What is seen of all measurements now; things that are gone take theirs along. */
  shown(): readonly Shown[] {
    const { engine, world } = this.context;
    const sight = engine()?.sight;
    if (sight === undefined) {
      return [];
    }
    this.done = this.done.filter(({ places }) => places.every(({ entity }) => world.entity(entity) !== undefined));
    const draw = (places: readonly Place[]): Drawn => drawnOf(places.map((place) => this.inWorld(place)), (point) => sight.screenOf(point));
    const next = this.hovered === undefined ? this.places : [...this.places, this.hovered];
    const made = this.done.map(({ id, places }) => ({ id, ...draw(places) }));
    return next.length === 0 ? made : [...made, { id: undefined, ...draw(next) }];
  }

  private add(place: Place): void {
    this.places = [...this.places, place];
    if (this.places.length === placesOf(this.kind)) {
      this.done = [...this.done, { id: this.nextId, places: this.places }].slice(-MOST);
      this.nextId += 1;
      this.places = [];
    }
  }

  private placeAt({ x, y }: Pointing): Place | undefined {
    const { engine, world, poses } = this.context;
    const hit = engine()?.sight.pick(x, y);
    const entity = hit && (world.lineage(hit.visual).findLast(({ kind }) => kind === 'link')?.id ?? hit.visual);
    return hit === undefined || entity === undefined ? undefined : { entity, point: pointInLink(poses.worldPose(entity), hit.point) };
  }

  private inWorld({ entity, point }: Place): Vec3 {
    return pointInWorld(this.context.poses.worldPose(entity), point);
  }
}
