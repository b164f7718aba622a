/** The camera and how a person moves it. */
import { Box3, OrthographicCamera, PerspectiveCamera, Raycaster, Vector2, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

import type { Vec3 } from '../../lib/pose';
import { onPlane } from './hold';

/** Where the camera stands and what it looks at. */
export interface View {
  readonly position: Vector3;
  readonly target: Vector3;
}

export type Projection = 'perspective' | 'orthographic';

/** Sides to look from. */
export const SIDES = ['top', 'front', 'side', 'isometric'] as const;
export type Side = (typeof SIDES)[number];

/** From what is looked at to the eye. Models face along x, so their front is there. */
const DIRECTIONS: Readonly<Record<Side, Vec3>> = {
  // A little towards −y, so that x points to the right and y up.
  top: [0, -1e-4, 1],
  front: [1, 0, 0],
  side: [0, -1, 0],
  isometric: [1, -1, 0.8165],
};

/** An orthographic camera stands so far back that nothing is behind it, in metres. */
const SET_BACK = 300;
const FLIGHT_MS = 350;
/** A little from the side and above, as one looks at a table. */
const FIRST_DIRECTION = new Vector3(-0.6, -0.86, 0.42).normalize();

/** Share of the view that the whole world may fill, and that one thing may. */
const WORLD_FILL = 0.86;
const THING_FILL = 0.6;
/** The nearest that framing goes, in metres. */
const NEAREST = 0.4;

interface Flight {
  readonly from: View;
  readonly to: View;
  readonly startedMs: number;
}

export class Viewpoint {
  projection: Projection = 'perspective';
  /** What a person moves; in an orthographic view the other camera goes along. */
  private readonly perspective = new PerspectiveCamera(42, 1, 0.02, 2000);
  private readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.1, 3000);
  private readonly controls: OrbitControls;
  private flight: Flight | undefined;

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.perspective.up.set(0, 0, 1);
    this.perspective.position.set(-6, -6, 4);
    this.controls = new OrbitControls(this.perspective, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 0.05;
    this.controls.maxDistance = 1000;
    // Just above the ground is the lowest useful view; under it everything is the wrong way round.
    this.controls.maxPolarAngle = Math.PI * 0.62;
    this.controls.addEventListener('change', changed);
    this.controls.addEventListener('start', () => {
      this.flight = undefined;
    });
    this.controls.update();
  }

  /** What is drawn with. */
  get camera(): PerspectiveCamera | OrthographicCamera {
    if (this.projection === 'perspective') {
      return this.perspective;
    }
    this.alignOrthographic();
    return this.orthographic;
  }

  get target(): Vector3 {
    return this.controls.target;
  }

  get distance(): number {
    return this.perspective.position.distanceTo(this.controls.target);
  }

  get view(): View {
    return { position: this.perspective.position.clone(), target: this.controls.target.clone() };
  }

  set view({ position, target }: View) {
    this.flight = undefined;
    this.perspective.position.copy(position);
    this.controls.target.copy(target);
    this.controls.update();
  }

  resize(aspect: number): void {
    this.perspective.aspect = aspect;
    this.perspective.updateProjectionMatrix();
  }

  /** The view that shows all points from the direction of the first look. */
  framing(points: readonly Vector3[]): View {
    return this.viewOf(points, FIRST_DIRECTION, WORLD_FILL);
  }

  /** Flies to where the points fill the view, keeping the direction. */
  focus(points: readonly Vector3[], nowMs: number): void {
    this.flyTo(this.viewOf(points, this.outward(), THING_FILL), nowMs);
  }

  /** Flies to where the same place is seen from a side. */
  lookFrom(side: Side, nowMs: number): void {
    const direction = new Vector3(...DIRECTIONS[side]).normalize();
    const target = this.controls.target.clone();
    this.flyTo({ target, position: target.clone().addScaledVector(direction, this.distance) }, nowMs);
  }

  flyTo(to: View, nowMs: number): void {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (still) {
      this.view = to;
    } else {
      this.flight = { from: this.view, to, startedMs: nowMs };
    }
  }

  /** Moves the camera on; says whether it is still moving. */
  advance(nowMs: number): boolean {
    if (this.flight !== undefined) {
      this.fly(this.flight, nowMs);
    }
    return this.controls.update() || this.flight !== undefined;
  }

  /** The ray of a point of the view, given in the range −1 to 1, y up. */
  rayAt(x: number, y: number): Raycaster {
    // The camera may have moved since the last frame.
    const { camera } = this;
    camera.updateMatrixWorld();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), camera);
    return ray;
  }

  /** Where a point of the view is on the plane through `through` that faces the camera. */
  pointFacing(x: number, y: number, through: Vec3): Vec3 | undefined {
    const { origin, direction } = this.rayAt(x, y).ray;
    const looking = this.camera.getWorldDirection(new Vector3());
    return onPlane({ origin: origin.toArray(), direction: direction.toArray() }, through, looking.toArray());
  }

  /** Where a point of the world is in the view, as [`rayAt`] takes it; undefined behind the camera. */
  project(point: Vec3): readonly [number, number] | undefined {
    const { camera } = this;
    // The camera may have moved since the last frame.
    camera.updateMatrixWorld();
    const { x, y, z } = new Vector3(...point).project(camera);
    return z > 1 ? undefined : [x, y];
  }

  /** From a point of the world to the eye, of length 1. */
  toEye(point: Vec3): Vec3 {
    const towards = this.projection === 'perspective' ? this.perspective.position.clone().sub(new Vector3(...point)) : this.outward();
    return towards.normalize().toArray();
  }

  /** How much of the world the view is high, at the depth of a point, in metres. */
  viewHeightAt(point: Vec3): number {
    const looking = this.perspective.getWorldDirection(new Vector3());
    const depth = this.projection === 'perspective' ? new Vector3(...point).sub(this.perspective.position).dot(looking) : this.distance;
    return 2 * Math.max(this.perspective.near, depth) * Math.tan((this.perspective.fov * Math.PI) / 360);
  }

  dispose(): void {
    this.controls.dispose();
  }

  /** From what is looked at to the eye, of length 1. */
  private outward(): Vector3 {
    return this.perspective.position.clone().sub(this.controls.target).normalize();
  }

  /** Lets the orthographic camera show as much as the other one shows of what is looked at. */
  private alignOrthographic(): void {
    const { orthographic: camera, perspective } = this;
    const half = this.distance * Math.tan((perspective.fov * Math.PI) / 360);
    camera.top = half;
    camera.bottom = -half;
    camera.right = half * perspective.aspect;
    camera.left = -camera.right;
    camera.quaternion.copy(perspective.quaternion);
    camera.position.copy(this.controls.target).addScaledVector(this.outward(), this.distance + SET_BACK);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  /** Finds, along `direction`, the nearest view that has all points inside, in the middle. */
  private viewOf(points: readonly Vector3[], direction: Vector3, fill: number): View {
    const right = new Vector3().crossVectors(this.perspective.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    const tanY = Math.tan((this.perspective.fov * Math.PI) / 360) * fill;
    const tanX = tanY * this.perspective.aspect;
    const target = new Box3().setFromPoints([...points]).getCenter(new Vector3());
    let distance = NEAREST;
    // Perspective makes near things larger, so the middle is found step by step.
    for (let round = 0; round < 4; round += 1) {
      const seen = points.map((point) => inView(point.clone().sub(target), right, up, direction));
      distance = seen.reduce((most, { x, y, z }) => Math.max(most, z + Math.max(Math.abs(x) / tanX, Math.abs(y) / tanY)), NEAREST);
      const edges = new Box3().setFromPoints(seen.map(({ x, y, z }) => new Vector3(x, y, 0).divideScalar(distance - z)));
      const middle = edges.getCenter(new Vector3()).multiplyScalar(distance);
      target.addScaledVector(right, middle.x).addScaledVector(up, middle.y);
    }
    return { target, position: target.clone().addScaledVector(direction, distance) };
  }

  private fly({ from, to, startedMs }: Flight, nowMs: number): void {
    const t = Math.min(1, Math.max(0, (nowMs - startedMs) / FLIGHT_MS));
    const eased = 1 - (1 - t) ** 3;
    this.perspective.position.lerpVectors(from.position, to.position, eased);
    this.controls.target.lerpVectors(from.target, to.target, eased);
    if (t >= 1) {
      this.flight = undefined;
    }
  }
}

function inView(offset: Vector3, right: Vector3, up: Vector3, direction: Vector3): Vector3 {
  return new Vector3(offset.dot(right), offset.dot(up), offset.dot(direction));
}
