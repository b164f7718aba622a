/**
 * Shows things where they are about to be: while somebody drags them, and until the server has put
 * them there. Nothing of it is true; whatever the server says next is.
 */
import { Matrix4, Quaternion, Vector3 } from 'three';

import { magnitude, type Pose, type Vec3 } from '../../lib/pose';
import { minus } from '../../lib/vector';
import type { EntityId } from '../../world/entity';
import type { Slot } from './batches';

/** Where a thing is shown, and how much larger along its own axes. */
export interface Shown {
  readonly pose: Pose;
  readonly factor: Vec3;
}

interface Part {
  readonly slot: Slot;
  /** Where the part was drawn before. */
  readonly original: Matrix4;
  readonly rootFromShape: Matrix4;
}

interface Moved {
  shown: Shown;
  parts: readonly Part[];
}

export class Preview {
  private readonly moved = new Map<EntityId, Moved>();

  constructor(
    private readonly slotsBelow: (id: EntityId) => readonly Slot[],
    private readonly worldPose: (id: EntityId) => Pose,
  ) {}

  /** Whether anything is shown elsewhere. */
  get active(): boolean {
    return this.moved.size > 0;
  }

  /** Where an entity is shown; undefined when it is where it is. */
  of(id: EntityId): Shown | undefined {
    return this.moved.get(id)?.shown;
  }

  show(id: EntityId, shown: Shown): void {
    const known = this.moved.get(id);
    if (known === undefined) {
      this.moved.set(id, { shown, parts: this.partsOf(id) });
    } else {
      known.shown = shown;
    }
  }

  /** Puts things back to where they were drawn; whoever draws them puts them where they are then. */
  clear(ids: Iterable<EntityId> = [...this.moved.keys()]): void {
    for (const id of ids) {
      for (const { slot, original } of this.moved.get(id)?.parts ?? []) {
        put(slot, original);
      }
      this.moved.delete(id);
    }
  }

  /** Finds the visuals anew; all of them are drawn where they are. */
  refresh(): void {
    for (const [id, moved] of this.moved) {
      moved.parts = this.partsOf(id);
    }
  }

  /** Draws the things where they are shown; says whether there are any. */
  apply(): boolean {
    for (const { shown, parts } of this.moved.values()) {
      worldFromRoot.compose(position.set(...shown.pose.position), rotation.set(...shown.pose.rotation), scale.set(...shown.factor));
      for (const { slot, rootFromShape } of parts) {
        put(slot, product.multiplyMatrices(worldFromRoot, rootFromShape));
      }
    }
    return this.active;
  }

  private partsOf(id: EntityId): readonly Part[] {
    const { position: at, rotation: turned } = this.worldPose(id);
    const rootFromWorld = new Matrix4().compose(new Vector3(...at), new Quaternion(...turned), new Vector3(1, 1, 1)).invert();
    return this.slotsBelow(id).map((slot) => {
      const original = new Matrix4();
      slot.mesh.getMatrixAt(slot.index, original);
      return { slot, original, rootFromShape: rootFromWorld.clone().multiply(original) };
    });
  }
}

/** Says whether a thing is by now nearer to where it was sent than to where it came from. */
export function hasArrived(now: Pose, from: Pose, to: Pose): boolean {
  return distance(now, to) <= distance(now, from);
}

/** Metres and radians together: which of them counts more does not matter here. */
function distance(a: Pose, b: Pose): number {
  const along = a.rotation.reduce((sum, value, n) => sum + value * (b.rotation[n] ?? 0), 0);
  return magnitude(minus(a.position, b.position)) + 2 * Math.acos(Math.min(1, Math.abs(along)));
}

const worldFromRoot = new Matrix4();
const product = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

function put({ mesh, index }: Slot, matrix: Matrix4): void {
  mesh.setMatrixAt(index, matrix);
  mesh.instanceMatrix.needsUpdate = true;
}
