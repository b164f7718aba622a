/** World poses: of what moves from the pose frames, of all else from the `pose` components. */
import { Emitter } from '../lib/emitter';
import { compose, IDENTITY_POSE, type Pose } from '../lib/pose';
import { POSE_STRIDE, type PoseFrame } from '../protocol/frames';
import { readPose } from './components';
import type { EntityId } from './entity';
import type { World } from './world';

/** Sets of past poses are numbered from here. */
const FIRST_PAST_SET = 2 ** 31;

/** Says whether a set is of an instant that the page looks back at. */
export function isPastSet(setId: number): boolean {
  return setId >= FIRST_PAST_SET;
}

export class PoseStore {
  /** A new frame is in [`latest`]. */
  readonly moved = new Emitter<undefined>();
  /** The set of moving entities is another one. */
  readonly setChanged = new Emitter<undefined>();

  frameCount = 0;
  private setId: number | undefined;
  private members: readonly EntityId[] = [];
  private indexById = new Map<EntityId, number>();
  private frame: PoseFrame | undefined;

  constructor(private readonly world: World) {}

  /** Poses of the newest frame, 7 numbers for each member of the set. */
  get latest(): Float32Array | undefined {
    return this.frame?.poses;
  }

  /** Time of the newest poses; none while they are of an instant that the page looks back at. */
  get presentSecs(): number | undefined {
    return this.frame === undefined || isPastSet(this.frame.setId) ? undefined : this.frame.simTimeSecs;
  }

  /** Place of an entity in the pose set, when it is one that moves. */
  indexOf(id: EntityId): number | undefined {
    return this.indexById.get(id);
  }

  useSet(setId: number, members: readonly EntityId[]): void {
    this.setId = setId;
    this.members = members;
    this.indexById = new Map(members.map((id, index) => [id, index]));
    this.frame = undefined;
    this.setChanged.emit(undefined);
  }

  /** Takes in a frame; one of another set is too late or too early, and is dropped. */
  useFrame(frame: PoseFrame): void {
    if (frame.setId !== this.setId || frame.poses.length !== this.members.length * POSE_STRIDE) {
      return;
    }
    this.frame = frame;
    this.frameCount += 1;
    this.moved.emit(undefined);
  }

  /** Forgets all, as when the connection begins anew. */
  clear(): void {
    this.setId = undefined;
    this.members = [];
    this.indexById = new Map();
    this.frame = undefined;
    this.setChanged.emit(undefined);
  }

  /** Returns `world_from_entity`. */
  worldPose(id: EntityId): Pose {
    let entityFromInner = IDENTITY_POSE;
    for (const entity of this.world.lineage(id).toReversed()) {
      const moving = this.streamed(entity.id);
      if (moving !== undefined) {
        return compose(moving, entityFromInner);
      }
      const pose = readPose(entity.component('pose'));
      entityFromInner = pose === undefined ? entityFromInner : compose(pose, entityFromInner);
    }
    return entityFromInner;
  }

  private streamed(id: EntityId): Pose | undefined {
    const index = this.indexById.get(id);
    const poses = this.frame?.poses;
    if (index === undefined || poses === undefined) {
      return undefined;
    }
    const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = poses.subarray(
      index * POSE_STRIDE,
      (index + 1) * POSE_STRIDE,
    );
    return { position: [x, y, z], rotation: [qx, qy, qz, qw] };
  }
}
