/** Outlines around things, seen through everything. */
import {
  AlwaysStencilFunc, Color, Group, Mesh, MeshBasicMaterial, NotEqualStencilFunc, ReplaceStencilOp,
  ShaderMaterial, Vector2, type InstancedMesh, type Side, DoubleSide,
} from 'three';

import type { Slot } from './batches';
import { ensureSmoothNormals, SMOOTH_NORMAL } from './shapes';

/** More parts than this get no outline: it would cost more than it shows. */
const MOST_PARTS = 400;
const BOTH_SIDES: Side = DoubleSide;

const VERTEX = /* glsl */ `
attribute vec3 ${SMOOTH_NORMAL};
uniform vec2 pixel;
void main() {
  vec4 clip = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec2 outward = (projectionMatrix * vec4(normalMatrix * ${SMOOTH_NORMAL}, 0.0)).xy;
  float size = length(outward);
  clip.xy += (size > 1e-6 ? outward / size : vec2(0.0)) * pixel * clip.w;
  gl_Position = clip;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 color;
void main() {
  gl_FragColor = vec4(color, 1.0);
  #include <colorspace_fragment>
}`;

interface Part {
  readonly slot: Slot;
  readonly mask: Mesh;
  readonly rim: Mesh;
}

export interface OutlineLook {
  readonly color: string;
  readonly widthPx: number;
  /** Which of the eight bits of the stencil is its own, so that outlines do not erase one another. */
  readonly bit: number;
}

export class Outline {
  readonly group = new Group();
  private parts: Part[] = [];
  /** Marks the pixels of the thing itself, so that the rim is drawn around them alone. */
  private readonly maskMaterial: MeshBasicMaterial;
  private readonly rimMaterial: ShaderMaterial;
  private readonly widthPx: number;

  constructor({ color, widthPx, bit }: OutlineLook) {
    this.widthPx = widthPx;
    const shared = {
      depthWrite: false,
      depthTest: false,
      side: BOTH_SIDES,
      transparent: true,
      stencilWrite: true,
      stencilRef: 1 << bit,
      stencilFuncMask: 1 << bit,
      stencilWriteMask: 1 << bit,
    };
    this.maskMaterial = new MeshBasicMaterial({
      ...shared,
      colorWrite: false,
      stencilFunc: AlwaysStencilFunc,
      stencilZPass: ReplaceStencilOp,
    });
    this.rimMaterial = new ShaderMaterial({
      ...shared,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { color: { value: new Color(color) }, pixel: { value: new Vector2() } },
      stencilFunc: NotEqualStencilFunc,
    });
  }

  /** Draws the outline around these visuals together. */
  show(slots: readonly Slot[]): void {
    this.clear();
    if (slots.length > MOST_PARTS) {
      return;
    }
    this.parts = slots.map((slot) => this.makePart(slot));
  }

  /** Moves the outline to where its visuals are. */
  follow(): void {
    for (const { slot, mask, rim } of this.parts) {
      slot.mesh.getMatrixAt(slot.index, mask.matrix);
      rim.matrix.copy(mask.matrix);
    }
  }

  resize(widthPx: number, heightPx: number): void {
    this.rimMaterial.uniforms['pixel'] = {
      value: new Vector2((2 * this.widthPx) / widthPx, (2 * this.widthPx) / heightPx),
    };
  }

  clear(): void {
    this.group.clear();
    this.parts = [];
  }

  dispose(): void {
    this.clear();
    this.maskMaterial.dispose();
    this.rimMaterial.dispose();
  }

  private makePart(slot: Slot): Part {
    const { geometry }: InstancedMesh = slot.mesh;
    ensureSmoothNormals(geometry);
    const mask = new Mesh(geometry, this.maskMaterial);
    const rim = new Mesh(geometry, this.rimMaterial);
    mask.renderOrder = 100;
    rim.renderOrder = 101;
    for (const mesh of [mask, rim]) {
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    return { slot, mask, rim };
  }
}
