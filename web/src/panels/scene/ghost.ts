/**
 * A translucent copy of a robot at another pose, as when somebody looks at a waypoint. It borrows the
 * geometries of the robot's own visuals, casts no shadow and cannot be picked.
 */
import { Color, DoubleSide, Group, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, Quaternion, Vector3 } from 'three';

import { compose, IDENTITY_POSE, normalizedQuat, type Pose } from '../../lib/pose';
import { readPose } from '../../world/components';
import type { EntityId } from '../../world/entity';
import type { PoseStore } from '../../world/poses';
import type { GhostPose } from '../../world/teaching';
import type { World } from '../../world/world';
import type { Slot } from './batches';

const STRIDE = 7;
/** A ghost of more parts than this is not drawn whole: it would cost more than it shows. */
const MOST_PARTS = 2000;
const TINT = '#4d8dff';

/** A drawn part and where it is on its link. */
interface Part {
  /** Place of its link in the ghost. */
  readonly link: number;
  readonly linkFromShape: Matrix4;
  readonly meshes: readonly Mesh[];
}

export class Ghost {
  readonly group = new Group();
  private shown: GhostPose | undefined;
  private parts: Part[] = [];
  /** Only the nearest surface is tinted, or else each part that lies behind another would show. */
  private readonly depthMaterial = new MeshBasicMaterial({ ...common(), colorWrite: false });
  private readonly tintMaterial = new MeshLambertMaterial({
    ...common(),
    color: new Color(TINT),
    emissive: new Color(TINT).multiplyScalar(0.35),
    opacity: 0.5,
    depthWrite: false,
  });

  constructor(
    private readonly world: World,
    private readonly poses: PoseStore,
    private readonly slotsOf: (visual: EntityId) => readonly Slot[],
  ) {
    this.group.matrixAutoUpdate = false;
  }

  /** Shows another pose; undefined shows none. */
  show(ghost: GhostPose | undefined): void {
    const alike = ghost !== undefined && this.shown !== undefined && sameMembers(ghost.links, this.shown.links);
    this.shown = ghost;
    if (alike) {
      this.place(ghost);
      this.follow();
    } else {
      this.refresh();
    }
  }

  /** Finds the visuals of the links anew, as when a mesh has come. */
  refresh(): void {
    this.group.clear();
    this.parts = [];
    if (this.shown !== undefined) {
      this.shown.links.forEach((link, index) => {
        this.addLink(link, index);
      });
      this.place(this.shown);
    }
    this.follow();
  }

  /** Moves the ghost along with the link that it stands on. */
  follow(): void {
    const base = this.shown?.base;
    this.group.visible = base !== undefined && this.world.entity(base) !== undefined;
    if (base !== undefined && this.group.visible) {
      matrixOf(this.poses.worldPose(base), UNSCALED, this.group.matrix);
      this.group.matrixWorldNeedsUpdate = true;
    }
  }

  dispose(): void {
    this.group.clear();
    this.parts = [];
    this.depthMaterial.dispose();
    this.tintMaterial.dispose();
  }

  private addLink(link: EntityId, index: number): void {
    for (const { id, kind } of this.world.subtree(link)) {
      if (kind !== 'visual') {
        continue;
      }
      const linkFromVisual = poseWithin(this.world, link, id);
      for (const slot of this.slotsOf(id)) {
        if (this.parts.length < MOST_PARTS) {
          this.addPart(slot, index, linkFromVisual);
        }
      }
    }
  }

  private addPart({ mesh, spec, scale }: Slot, link: number, linkFromVisual: Pose): void {
    const linkFromShape = matrixOf(compose(linkFromVisual, spec.visualFromShape), new Vector3(...scale), new Matrix4());
    const meshes = [this.depthMaterial, this.tintMaterial].map((material, pass) => {
      const copy = new Mesh(mesh.geometry, material);
      copy.matrixAutoUpdate = false;
      // After all that is translucent in the world, before the outlines.
      copy.renderOrder = 50 + pass;
      this.group.add(copy);
      return copy;
    });
    this.parts.push({ link, linkFromShape, meshes });
  }

  private place({ poses }: GhostPose): void {
    for (const { link, linkFromShape, meshes } of this.parts) {
      const baseFromLink = linkPose(poses, link);
      for (const mesh of meshes) {
        mesh.visible = baseFromLink !== undefined;
        if (baseFromLink !== undefined) {
          baseFromShape(baseFromLink, linkFromShape, mesh.matrix);
          mesh.matrixWorldNeedsUpdate = true;
        }
      }
    }
  }
}

/** Returns the pose of the link at a place; undefined when there is none or it is no pose. */
export function linkPose(poses: Float32Array, place: number): Pose | undefined {
  const [x = Number.NaN, y = Number.NaN, z = Number.NaN, qx = 0, qy = 0, qz = 0, qw = 0] = poses.subarray(place * STRIDE, (place + 1) * STRIDE);
  const rotation = normalizedQuat([qx, qy, qz, qw]);
  return rotation === undefined || !Number.isFinite(x + y + z) ? undefined : { position: [x, y, z], rotation };
}

/** Returns the pose of an entity in the frame of one that it is in. */
export function poseWithin(world: World, outer: EntityId, inner: EntityId): Pose {
  let outerFromInner = IDENTITY_POSE;
  for (const entity of world.lineage(inner).toReversed()) {
    if (entity.id === outer) {
      break;
    }
    outerFromInner = compose(readPose(entity.component('pose')) ?? IDENTITY_POSE, outerFromInner);
  }
  return outerFromInner;
}

/** Writes the matrix of a shape into `target`: where its link would be, and where it is on that. */
export function baseFromShape(baseFromLink: Pose, linkFromShape: Matrix4, target: Matrix4): Matrix4 {
  return matrixOf(baseFromLink, UNSCALED, target).multiply(linkFromShape);
}

const UNSCALED = new Vector3(1, 1, 1);

function matrixOf({ position, rotation }: Pose, scale: Vector3, target: Matrix4): Matrix4 {
  return target.compose(new Vector3(...position), new Quaternion(...rotation), scale);
}

function common() {
  return {
    transparent: true,
    // Files are careless about which side is out.
    side: DoubleSide,
    // Where the ghost is in the robot's own place, the robot is seen, without flicker.
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 2,
  };
}

function sameMembers(a: readonly EntityId[], b: readonly EntityId[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
