/** How far things reach, as they are drawn now. */
import { Box3, type Vector3 } from 'three';

import type { Vec3 } from '../../lib/pose';
import type { EntityId } from '../../world/entity';
import type { World } from '../../world/world';
import type { Batches, Slot } from './batches';
import type { Bounds } from './model';

export class Extents {
  constructor(
    private readonly world: World,
    private readonly batches: Batches,
  ) {}

  /** The drawn parts of an entity; the world itself counts as nothing. */
  slotsBelow(id: EntityId): readonly Slot[] {
    if (this.world.entity(id)?.kind === 'world') {
      return [];
    }
    return this.world.subtree(id).flatMap((entity) => this.batches.slots(entity.id));
  }

  /** Corners of all that is drawn of an entity. */
  pointsOf(id: EntityId): readonly Vector3[] {
    return this.corners(this.slotsBelow(id));
  }

  /** Corners of all things; of the ground when there is nothing else. */
  worldPoints(): readonly Vector3[] {
    const slots = this.all();
    const things = slots.filter(({ spec }) => spec.countsForBounds);
    return this.corners(things.length > 0 ? things : slots);
  }

  /** A box around each part of every thing. */
  things(): readonly Bounds[] {
    return this.all().filter(({ spec }) => spec.countsForBounds).map((slot) => boundsOf(this.batches.corners(slot)));
  }

  /** A box around an entity; undefined when nothing of it is seen. */
  boundsOf(id: EntityId): Bounds | undefined {
    const points = this.pointsOf(id);
    return points.length === 0 ? undefined : boundsOf(points);
  }

  /** A box around an entity without ground that has no end; undefined when it is nothing else. */
  thingBounds(id: EntityId): Bounds | undefined {
    const points = this.corners(this.slotsBelow(id).filter(({ spec }) => spec.countsForBounds));
    return points.length === 0 ? undefined : boundsOf(points);
  }

  /** Returns the middle of the top of an entity; undefined when nothing of it is seen. */
  topOf(id: EntityId): Vec3 | undefined {
    const bounds = this.boundsOf(id);
    return bounds && [(bounds.min[0] + bounds.max[0]) / 2, (bounds.min[1] + bounds.max[1]) / 2, bounds.max[2]];
  }

  private all(): readonly Slot[] {
    return [...this.world.entities()].flatMap((entity) => this.batches.slots(entity.id));
  }

  private corners(slots: readonly Slot[]): readonly Vector3[] {
    return slots.flatMap((slot) => this.batches.corners(slot));
  }
}

function boundsOf(points: readonly Vector3[]): Bounds {
  const { min, max } = new Box3().setFromPoints([...points]);
  return { min: min.toArray(), max: max.toArray() };
}
