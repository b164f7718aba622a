/** What is seen where: from places of the view to the world, and back. */
import { Matrix3, Matrix4, type Object3D, type Vector3 } from 'three';

import type { Vec3 } from '../../lib/pose';
import type { EntityId } from '../../world/entity';
import type { Batches } from './batches';
import type { Ray } from './transform/drag';
import type { Viewpoint } from './viewpoint';

/** What a pointer points at. */
export interface Hit {
  readonly visual: EntityId;
  /** In the world. */
  readonly point: Vec3;
  /** Out of the surface there, in the world, of length 1. */
  readonly normal: Vec3;
}

/** Places of the view are in the range −1 to 1, y up, unless they are in pixels. */
export class Sight {
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly viewpoint: Viewpoint,
    private readonly batches: Batches,
    /** Puts everything where it is by now. */
    private readonly settle: () => void,
  ) {}

  /** Returns the visual at a place of the view, without those that are left out. */
  pick(x: number, y: number, without: (visual: EntityId) => boolean = () => false): Hit | undefined {
    this.settle();
    this.batches.forgetBounds();
    const ray = this.viewpoint.rayAt(x, y);
    for (const { object, instanceId, point, face } of ray.intersectObjects(this.batches.group.children, false)) {
      const visual = instanceId === undefined ? undefined : this.batches.visualAt(object, instanceId);
      if (visual !== undefined && instanceId !== undefined && !without(visual)) {
        return { visual, point: point.toArray(), normal: this.normalAt(object, instanceId, face?.normal, ray.ray.direction) };
      }
    }
    return undefined;
  }

  /** The ray from the eye through a place of the view. */
  rayAt(x: number, y: number): Ray {
    const { origin, direction } = this.viewpoint.rayAt(x, y).ray;
    return { origin: origin.toArray(), direction: direction.toArray() };
  }

  /** From a point of the world to the eye, of length 1. */
  toEye(point: Vec3): Vec3 {
    return this.viewpoint.toEye(point);
  }

  /** How large a pixel is at a point of the world, in metres. */
  metresPerPixel(point: Vec3): number {
    return this.viewpoint.viewHeightAt(point) / Math.max(1, this.canvas.clientHeight);
  }

  /** Where a place of the view is on the plane through `through` that faces the camera. */
  pointFacing(x: number, y: number, through: Vec3): Vec3 | undefined {
    return this.viewpoint.pointFacing(x, y, through);
  }

  /** Where a point of the world is seen, in pixels from the top left; undefined when it is not. */
  screenOf(point: Vec3): readonly [number, number] | undefined {
    const { clientWidth, clientHeight } = this.canvas;
    const seen = this.viewpoint.project(point);
    return seen === undefined ? undefined : [((seen[0] + 1) / 2) * clientWidth, ((1 - seen[1]) / 2) * clientHeight];
  }

  /** Turns the normal of a face towards the eye: files are careless about which side is out. */
  private normalAt(mesh: Object3D, index: number, normal: Vector3 | undefined, looking: Vector3): Vec3 {
    if (normal === undefined) {
      return looking.clone().negate().toArray();
    }
    this.batches.matrixAt(mesh, index, instanceMatrix);
    const out = normal.clone().applyMatrix3(normalMatrix.getNormalMatrix(instanceMatrix)).normalize();
    return (out.dot(looking) > 0 ? out.negate() : out).toArray();
  }
}

const instanceMatrix = new Matrix4();
const normalMatrix = new Matrix3();
