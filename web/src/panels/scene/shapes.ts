/** The geometries of the scene. Each shape key has one, shared by all batches that draw it. */
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry,
  ExtrudeGeometry, Path, PlaneGeometry, Shape as Outline, SphereGeometry, Vector2, Vector3,
} from 'three';

import { assertNever } from '../../lib/assert';
import type { Shape } from './model';
import type { MeshLoader, ShapePart } from './meshes';

/** Name of the attribute with one normal for each corner, for outlines without gaps. */
export const SMOOTH_NORMAL = 'smoothNormal';

/** Larger meshes get their outline from the normals they have: finding gaps would make the page wait. */
const MOST_SMOOTHED = 200_000;

export class ShapeLibrary {
  private readonly geometries = new Map<string, BufferGeometry>();

  constructor(private readonly meshes: MeshLoader) {}

  /** Returns what to draw `count` times for a shape; nothing while a mesh is on its way. */
  parts(key: string, shape: Shape, count: number): readonly ShapePart[] {
    if (shape.kind === 'mesh') {
      return this.meshes.parts(key, shape.source);
    }
    return [{ geometry: this.geometry(key, shape, count), material: undefined, standIn: false }];
  }

  dispose(): void {
    for (const geometry of this.geometries.values()) {
      geometry.dispose();
    }
    this.geometries.clear();
    this.meshes.dispose();
  }

  private geometry(key: string, shape: Exclude<Shape, { kind: 'mesh' }>, count: number): BufferGeometry {
    const facets = facetsFor(count);
    const fullKey = `${key} ${facets}`;
    const known = this.geometries.get(fullKey);
    if (known !== undefined) {
      return known;
    }
    const made = build(shape, facets);
    this.geometries.set(fullKey, made);
    return made;
  }
}

/** Adds the attribute that outlines are drawn with, once. */
export function ensureSmoothNormals(geometry: BufferGeometry): void {
  if (geometry.hasAttribute(SMOOTH_NORMAL)) {
    return;
  }
  const position = geometry.getAttribute('position');
  const normal = geometry.getAttribute('normal');
  if (position.count > MOST_SMOOTHED) {
    geometry.setAttribute(SMOOTH_NORMAL, normal);
    return;
  }
  const sums = new Map<string, Vector3>();
  const point = new Vector3();
  const keyOf = (i: number): string => {
    point.fromBufferAttribute(position, i);
    return `${point.x.toFixed(5)} ${point.y.toFixed(5)} ${point.z.toFixed(5)}`;
  };
  for (let i = 0; i < position.count; i += 1) {
    const key = keyOf(i);
    const sum = sums.get(key) ?? new Vector3();
    sums.set(key, sum.add(new Vector3().fromBufferAttribute(normal, i)));
  }
  const smooth = new Float32Array(position.count * 3);
  for (let i = 0; i < position.count; i += 1) {
    sums.get(keyOf(i))?.clone().normalize().toArray(smooth, i * 3);
  }
  geometry.setAttribute(SMOOTH_NORMAL, new BufferAttribute(smooth, 3));
}

/** The more there are of a round thing, the coarser each may be: together they stay drawable. */
export function facetsFor(count: number): number {
  if (count > 1000) {
    return 12;
  }
  return count > 150 ? 20 : 40;
}

/** Builds a shape of size 1; whoever asks disposes of it. */
export function buildGeometry({ shape }: { readonly shape: Exclude<Shape, { kind: 'mesh' }> }, facets: number): BufferGeometry {
  return build(shape, facets);
}

function build(shape: Exclude<Shape, { kind: 'mesh' }>, facets: number): BufferGeometry {
  switch (shape.kind) {
    case 'box':
      return new BoxGeometry(1, 1, 1);
    case 'sphere':
      return new SphereGeometry(1, facets, Math.round(facets * 0.6));
    case 'cylinder':
      return alongZ(new CylinderGeometry(1, 1, 1, facets));
    case 'cone':
      return alongZ(new ConeGeometry(1, 1, facets));
    case 'capsule':
      return alongZ(new CapsuleGeometry(1, shape.lengthPerRadius, Math.round(facets / 4), facets));
    case 'plane':
      return rectangle();
    case 'polyline':
      return extrude(shape.geometry.outlines, shape.geometry.height);
    default:
      return assertNever(shape);
  }
}

/** three.js puts the axis of round shapes along y, SDF along z. */
function alongZ(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

function rectangle(): BufferGeometry {
  const geometry = new PlaneGeometry(1, 1);
  // Its outline grows sideways, which the normals of a flat thing cannot tell.
  const outward = new Float32Array([-1, 1, 0, 1, 1, 0, -1, -1, 0, 1, -1, 0]);
  geometry.setAttribute(SMOOTH_NORMAL, new BufferAttribute(outward, 3));
  return geometry;
}

function extrude(outlines: readonly (readonly (readonly [number, number])[])[], depth: number): BufferGeometry {
  const [outer = [], ...holes] = outlines.map((outline) => outline.map(([x, y]) => new Vector2(x, y)));
  const shape = new Outline(outer);
  shape.holes = holes.map((hole) => new Path(hole));
  return new ExtrudeGeometry(shape, { depth, bevelEnabled: false });
}
