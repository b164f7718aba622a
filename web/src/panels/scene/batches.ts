/** One draw call for all visuals of one shape and look. */
import { Group, InstancedMesh, Matrix4, Vector3, type Box3, type BufferGeometry, type Object3D } from 'three';

import type { Vec3 } from '../../lib/pose';
import type { EntityId } from '../../world/entity';
import { MaterialLibrary, sceneColor } from './materials';
import type { ShapePart } from './meshes';
import { batchKey, dress, type DrawSpec } from './model';
import type { ShapeLibrary } from './shapes';

/** Place of a part of a visual: which mesh, and which instance of it. */
export interface Slot {
  readonly visual: EntityId;
  readonly mesh: InstancedMesh;
  readonly index: number;
  readonly spec: DrawSpec;
  readonly scale: Vec3;
}

const UNSCALED: Vec3 = [1, 1, 1];
const STAND_IN_COLOR: Vec3 = [0.95, 0.3, 0.25];

export interface Visual {
  readonly id: EntityId;
  readonly spec: DrawSpec;
}

export class Batches {
  readonly group = new Group();
  private readonly bySlots = new Map<EntityId, Slot[]>();
  private readonly meshes: InstancedMesh[] = [];
  private readonly visualsByMesh = new Map<Object3D, readonly EntityId[]>();

  constructor(
    private readonly shapes: ShapeLibrary,
    private readonly materials: MaterialLibrary,
  ) {
    this.group.matrixAutoUpdate = false;
  }

  /** Returns the parts of a visual; none while its mesh is on its way. */
  slots(id: EntityId): readonly Slot[] {
    return this.bySlots.get(id) ?? [];
  }

  /** The visual that an instance draws. */
  visualAt(mesh: Object3D, index: number): EntityId | undefined {
    return this.visualsByMesh.get(mesh)?.[index];
  }

  /** Writes where an instance is drawn. */
  matrixAt(mesh: Object3D, index: number, target: Matrix4): void {
    this.meshes.find((known) => known === mesh)?.getMatrixAt(index, target);
  }

  /** Throws all batches away and makes them anew. Their matrices are still to be set. */
  rebuild(visuals: readonly Visual[]): void {
    this.clear();
    const byKey = new Map<string, Visual[]>();
    for (const visual of visuals) {
      const key = batchKey(visual.spec);
      const members = byKey.get(key);
      if (members === undefined) {
        byKey.set(key, [visual]);
      } else {
        members.push(visual);
      }
    }
    for (const members of byKey.values()) {
      this.addBatch(members);
    }
  }

  /** Corners of what an instance covers, in the world. */
  corners({ mesh, index }: Slot): readonly Vector3[] {
    const geometry: BufferGeometry = mesh.geometry;
    if (geometry.boundingBox === null) {
      geometry.computeBoundingBox();
    }
    const box = geometry.boundingBox;
    mesh.getMatrixAt(index, matrix);
    return box === null ? [] : cornersOf(box).map((corner) => corner.applyMatrix4(matrix));
  }

  /** Makes sure that picking sees where the instances are now. */
  forgetBounds(): void {
    for (const mesh of this.meshes) {
      mesh.boundingSphere = null;
      mesh.boundingBox = null;
    }
  }

  clear(): void {
    for (const mesh of this.meshes.splice(0)) {
      this.group.remove(mesh);
      mesh.dispose();
    }
    this.visualsByMesh.clear();
    this.bySlots.clear();
  }

  private addBatch(members: readonly Visual[]): void {
    const spec = members[0]?.spec;
    if (spec === undefined) {
      return;
    }
    for (const part of this.shapes.parts(spec.shapeKey, spec.shape, members.length)) {
      this.addPart(part, spec, members);
    }
  }

  private addPart(part: ShapePart, spec: DrawSpec, members: readonly Visual[]): void {
    const { look, texturing } = dress(spec, part.material);
    const material = part.standIn
      ? this.materials.wireframe()
      : this.materials.material({ look, texturing: part.geometry.hasAttribute('uv') ? texturing : undefined, kind: spec.shape.kind });
    const mesh = new InstancedMesh(part.geometry, material, members.length);
    mesh.matrixAutoUpdate = false;
    // Instances move all over the world; one sphere around all of them would hide nothing.
    mesh.frustumCulled = false;
    mesh.castShadow = !part.standIn && look.castShadows && look.opacity > 0.5 && spec.shape.kind !== 'plane';
    mesh.receiveShadow = !part.standIn;
    mesh.renderOrder = look.opacity < 1 ? 1 : 0;
    members.forEach(({ id, spec: own }, index) => {
      const color = part.standIn ? STAND_IN_COLOR : dress(own, part.material).color;
      mesh.setColorAt(index, sceneColor(color));
      const slot = { visual: id, mesh, index, spec: own, scale: part.standIn ? UNSCALED : own.scale };
      this.bySlots.set(id, [...this.slots(id), slot]);
    });
    this.visualsByMesh.set(mesh, members.map(({ id }) => id));
    this.meshes.push(mesh);
    this.group.add(mesh);
  }
}

const matrix = new Matrix4();

function cornersOf({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
}
