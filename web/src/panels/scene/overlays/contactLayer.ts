/** Draws contacts over everything: they lie between bodies, where nobody could see them otherwise. */
import { Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3, type BufferGeometry } from 'three';

import { rotationFromZ, type Vec3 } from '../../../lib/pose';
import type { Layer } from '../engine';
import type { ContactMark } from './contactMarks';
import { buildMarker } from './markerShapes';

const COLOR = '#3ddc97';
const POINT_PX = 3.5;

export class ContactLayer implements Layer {
  readonly object = new Group();
  private marks: readonly ContactMark[] = [];
  private meshes: { readonly points: InstancedMesh; readonly arrows: InstancedMesh } | undefined;
  private readonly ball = buildMarker('ball');
  private readonly arrow = buildMarker('pointer');
  private readonly material = new MeshBasicMaterial({ color: COLOR, transparent: true, opacity: 0.95, depthTest: false, depthWrite: false, fog: false, toneMapped: false });

  constructor(private readonly metresPerPixel: (point: Vec3) => number) {}

  /** Shows these and no others. */
  use(marks: readonly ContactMark[]): void {
    this.marks = marks;
    if (marks.length > (this.meshes?.points.instanceMatrix.count ?? 0)) {
      this.clear();
      const room = 2 * marks.length;
      this.meshes = { points: this.makeMesh(this.ball, room), arrows: this.makeMesh(this.arrow, room) };
    }
    this.follow();
  }

  refresh(): void {
    this.follow();
  }

  follow(): void {
    if (this.meshes === undefined) {
      return;
    }
    const { points, arrows } = this.meshes;
    this.marks.forEach(({ at, along, lengthPx }, n) => {
      const metres = this.metresPerPixel(at);
      matrix.compose(position.set(...at), rotation.set(...rotationFromZ(along)), scale.setScalar(POINT_PX * metres));
      points.setMatrixAt(n, matrix);
      matrix.compose(position, rotation, scale.setScalar(lengthPx * metres));
      arrows.setMatrixAt(n, matrix);
    });
    for (const mesh of [points, arrows]) {
      mesh.count = this.marks.length;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  dispose(): void {
    this.clear();
    for (const resource of [this.ball, this.arrow, this.material]) {
      resource.dispose();
    }
  }

  private makeMesh(geometry: BufferGeometry, room: number): InstancedMesh {
    const mesh = new InstancedMesh(geometry, this.material, room);
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    mesh.renderOrder = 61;
    this.object.add(mesh);
    return mesh;
  }

  private clear(): void {
    for (const mesh of [this.meshes?.points, this.meshes?.arrows]) {
      if (mesh !== undefined) {
        this.object.remove(mesh);
        mesh.dispose();
      }
    }
    this.meshes = undefined;
  }
}

const matrix = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();
