/**
 * Draws overlays: marks through everything, so that what is inside of bodies is seen, and collisions
 * over the surfaces. One draw call for each kind of mark.
 */
import { Color, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3, type BufferGeometry } from 'three';

import { compose, type Pose, type Vec3 } from '../../../lib/pose';
import type { EntityId } from '../../../world/entity';
import type { World } from '../../../world/world';
import type { Layer } from '../engine';
import type { ShapePart } from '../meshes';
import { drawSpecOf, type DrawSpec } from '../model';
import { markersOf, type Marker, type MarkerShape, type Overlay } from './markers';
import { buildMarker } from './markerShapes';

export interface OverlayContext {
  readonly world: World;
  /** Where an entity is shown. */
  readonly poseOf: (id: EntityId) => Pose;
  readonly isHidden: (id: EntityId) => boolean;
  readonly metresPerPixel: (point: Vec3) => number;
  /** What is drawn of a shape; nothing while a mesh is on its way. */
  readonly partsOf: (spec: DrawSpec) => readonly ShapePart[];
}

/** Marks that are drawn together. */
interface Batch {
  readonly mesh: InstancedMesh;
  readonly marks: readonly Pick<Marker, 'entity' | 'pose' | 'size' | 'unit'>[];
}

const COLLISION = '#ff8a3d';

export class OverlayLayer implements Layer {
  readonly object = new Group();
  private batches: Batch[] = [];
  private on: ReadonlySet<Overlay> = new Set();
  private readonly geometries = new Map<MarkerShape, BufferGeometry>();
  private readonly materials = new Map<string, MeshBasicMaterial>();

  constructor(private readonly context: OverlayContext) {}

  /** Shows these and no others. */
  use(on: readonly Overlay[]): void {
    this.on = new Set(on);
    this.refresh();
  }

  refresh(): void {
    this.clear();
    const byLook = new Map<string, Marker[]>();
    for (const marker of markersOf(this.context.world, this.on)) {
      if (this.context.isHidden(marker.entity)) {
        continue;
      }
      const key = `${marker.shape} ${marker.opacity}`;
      const alike = byLook.get(key) ?? [];
      alike.push(marker);
      byLook.set(key, alike);
    }
    for (const markers of byLook.values()) {
      this.addMarkers(markers);
    }
    if (this.on.has('collisions')) {
      this.addCollisions();
    }
    this.follow();
  }

  follow(): void {
    for (const { mesh, marks } of this.batches) {
      marks.forEach(({ entity, pose, size, unit }, n) => {
        const at = compose(this.context.poseOf(entity), pose);
        const factor = unit === 'pixels' ? this.context.metresPerPixel(at.position) : 1;
        matrix.compose(position.set(...at.position), rotation.set(...at.rotation), scale.set(...size).multiplyScalar(factor));
        mesh.setMatrixAt(n, matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  dispose(): void {
    this.clear();
    for (const resource of [...this.geometries.values(), ...this.materials.values()]) {
      resource.dispose();
    }
    this.geometries.clear();
    this.materials.clear();
  }

  private clear(): void {
    for (const { mesh } of this.batches.splice(0)) {
      this.object.remove(mesh);
      mesh.dispose();
    }
  }

  private addMarkers(markers: readonly Marker[]): void {
    const [first] = markers;
    if (first === undefined) {
      return;
    }
    const mesh = new InstancedMesh(this.geometry(first.shape), this.material('mark', first), markers.length);
    markers.forEach(({ color }, n) => {
      mesh.setColorAt(n, new Color(color));
    });
    // Above ghosts, below the outline of the selection.
    this.add(mesh, markers, 60);
  }

  /** Collisions of one shape go together, each part of a mesh by itself. */
  private addCollisions(): void {
    const byShape = new Map<string, { readonly spec: DrawSpec; readonly marks: Batch['marks'][number][] }>();
    for (const entity of this.context.world.entities()) {
      const spec = entity.kind === 'collision' && !this.context.isHidden(entity.id) ? drawSpecOf(entity) : undefined;
      if (spec?.countsForBounds === true) {
        const group = byShape.get(spec.shapeKey) ?? { spec, marks: [] };
        group.marks.push({ entity: entity.id, pose: spec.visualFromShape, size: spec.scale, unit: 'metres' });
        byShape.set(spec.shapeKey, group);
      }
    }
    for (const { spec, marks } of byShape.values()) {
      for (const { geometry } of this.context.partsOf(spec)) {
        for (const look of ['face', 'wire'] as const) {
          this.add(new InstancedMesh(geometry, this.material(look), marks.length), marks, look === 'face' ? 40 : 41);
        }
      }
    }
  }

  private add(mesh: InstancedMesh, marks: Batch['marks'], order: number): void {
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    mesh.renderOrder = order;
    this.batches.push({ mesh, marks });
    this.object.add(mesh);
  }

  private geometry(shape: MarkerShape): BufferGeometry {
    const known = this.geometries.get(shape);
    if (known !== undefined) {
      return known;
    }
    const made = buildMarker(shape);
    this.geometries.set(shape, made);
    return made;
  }

  private material(look: 'mark' | 'face' | 'wire', marker?: Marker): MeshBasicMaterial {
    const key = `${look} ${marker?.opacity ?? ''} ${marker?.shape === 'triad'}`;
    const known = this.materials.get(key);
    if (known !== undefined) {
      return known;
    }
    const made = look === 'mark'
      ? new MeshBasicMaterial({ transparent: true, opacity: marker?.opacity ?? 1, depthTest: false, depthWrite: false, fog: false, toneMapped: false, vertexColors: marker?.shape === 'triad' })
      : new MeshBasicMaterial({
          color: COLLISION, transparent: true, opacity: look === 'face' ? 0.28 : 0.7, wireframe: look === 'wire', depthWrite: false, fog: false, toneMapped: false,
          // Collisions are often where the surface is, and are to be seen all the same.
          polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -4,
        });
    this.materials.set(key, made);
    return made;
  }
}

const matrix = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();
