/**
 * Keeps every visual where it belongs: each hangs on the nearest entity of the pose set above it,
 * or stands still. Runs for each pose frame, so it allocates nothing there.
 */
import { Matrix4, Quaternion, Vector3 } from 'three';

import { compose, IDENTITY_POSE, type Pose } from '../../lib/pose';
import { readPose } from '../../world/components';
import type { Entity, EntityId } from '../../world/entity';
import type { PoseStore } from '../../world/poses';
import type { World } from '../../world/world';
import type { Batches, Slot } from './batches';

const STRIDE = 7;

interface Hanging {
  readonly slot: Slot;
  readonly anchorFromShape: Matrix4;
}

export class Actors {
  /** Visuals by the place of their anchor in the pose set. */
  private readonly byAnchor = new Map<number, Hanging[]>();
  private previous: Float32Array | undefined;

  constructor(
    private readonly world: World,
    private readonly poses: PoseStore,
    private readonly batches: Batches,
  ) {}

  /** Finds the anchors of all visuals anew and puts every visual in its place. */
  rebuild(visuals: Iterable<EntityId>): void {
    this.byAnchor.clear();
    this.previous = undefined;
    for (const id of visuals) {
      for (const slot of this.batches.slots(id)) {
        this.hang(slot);
      }
    }
    this.follow();
  }

  /** Lets the next call place every visual that moves, because somebody else has moved some. */
  forget(): void {
    this.previous = undefined;
  }

  /** Moves what hangs on anchors that moved since the last call; says whether anything did. */
  follow(): boolean {
    const poses = this.poses.latest;
    if (poses === undefined) {
      return false;
    }
    let moved = false;
    for (const [anchor, hanging] of this.byAnchor) {
      const start = anchor * STRIDE;
      if (samePose(poses, this.previous, start)) {
        continue;
      }
      moved = true;
      anchorMatrix(poses, start);
      for (const { slot, anchorFromShape } of hanging) {
        place(slot, product.multiplyMatrices(worldFromAnchor, anchorFromShape));
      }
    }
    this.previous = poses;
    return moved;
  }

  private hang(slot: Slot): void {
    let anchorFromVisual: Pose = IDENTITY_POSE;
    for (const entity of this.world.lineage(slot.visual).toReversed()) {
      const anchor = this.poses.indexOf(entity.id);
      if (anchor !== undefined) {
        this.hangOn(anchor, slot, anchorFromVisual);
        return;
      }
      anchorFromVisual = compose(localPose(entity), anchorFromVisual);
    }
    place(slot, shapeMatrix(anchorFromVisual, slot));
  }

  private hangOn(anchor: number, slot: Slot, anchorFromVisual: Pose): void {
    const hanging = { slot, anchorFromShape: shapeMatrix(anchorFromVisual, slot) };
    const others = this.byAnchor.get(anchor);
    if (others === undefined) {
      this.byAnchor.set(anchor, [hanging]);
    } else {
      others.push(hanging);
    }
    if (this.poses.latest === undefined) {
      // No frame of this set is here yet: the component chain tells where it stands.
      const worldFromVisual = this.poses.worldPose(slot.visual);
      place(slot, shapeMatrix(worldFromVisual, slot));
    }
  }
}

const worldFromAnchor = new Matrix4();
const product = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const unitScale = new Vector3(1, 1, 1);

function localPose(entity: Entity): Pose {
  return readPose(entity.component('pose')) ?? IDENTITY_POSE;
}

function samePose(now: Float32Array, before: Float32Array | undefined, start: number): boolean {
  if (before?.length !== now.length) {
    return false;
  }
  for (let i = start; i < start + STRIDE; i += 1) {
    if (now[i] !== before[i]) {
      return false;
    }
  }
  return true;
}

function anchorMatrix(poses: Float32Array, start: number): void {
  position.fromArray(poses, start);
  rotation.fromArray(poses, start + 3);
  worldFromAnchor.compose(position, rotation, unitScale);
}

function shapeMatrix(outerFromVisual: Pose, { spec, scale }: Slot): Matrix4 {
  const outerFromShape = compose(outerFromVisual, spec.visualFromShape);
  return new Matrix4().compose(
    new Vector3(...outerFromShape.position),
    new Quaternion(...outerFromShape.rotation),
    new Vector3(...scale),
  );
}

function place({ mesh, index }: Slot, matrix: Matrix4): void {
  mesh.setMatrixAt(index, matrix);
  mesh.instanceMatrix.needsUpdate = true;
}
