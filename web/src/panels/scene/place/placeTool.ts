/** Something new follows the pointer until a click puts it down. */
import { Mesh, MeshBasicMaterial, MeshLambertMaterial, type BufferGeometry } from 'three';

import type { Vec3 } from '../../../lib/pose';
import type { Layer, SceneEngine } from '../engine';
import { shapedOf } from '../model';
import type { Pointing, PointerTool } from '../pointing';
import { buildGeometry } from '../shapes';
import type { Steps } from '../transform/drag';
import { geometryOf, placeFor, type Placeable } from './place';

export interface PlaceContext {
  readonly engine: () => SceneEngine | undefined;
  /** Steps to snap to when they are on, or when Ctrl is held and they are off. */
  readonly stepping: () => boolean;
  readonly steps: () => Steps;
  readonly onplace: (position: Vec3) => void;
  readonly oncancel: () => void;
}

const TINT = '#4d8dff';
const FACETS = 32;

export class PlaceTool implements PointerTool {
  private placing: Placeable | undefined;
  private preview: PlacePreview | undefined;

  constructor(private readonly context: PlaceContext) {}

  /** Takes something in hand; undefined puts it away. */
  use(placing: Placeable | undefined): void {
    this.placing = placing;
    this.preview?.dispose();
    this.preview = undefined;
  }

  hover(at: Pointing | undefined): void {
    const { placing } = this;
    const engine = this.context.engine();
    if (placing === undefined || engine === undefined) {
      return;
    }
    const place = at && this.placeAt(at, placing);
    if (this.preview?.engine !== engine) {
      // Another quality has another engine.
      this.preview?.dispose();
      this.preview = undefined;
    }
    if (place !== undefined) {
      this.preview ??= new PlacePreview(engine, placing);
    }
    this.preview?.show(place);
  }

  click(at: Pointing): boolean {
    const { placing } = this;
    const place = placing && this.placeAt(at, placing);
    if (place !== undefined) {
      this.context.onplace(place);
    }
    return placing !== undefined;
  }

  cancel(): boolean {
    const busy = this.placing !== undefined;
    if (busy) {
      this.context.oncancel();
    }
    return busy;
  }

  private placeAt({ x, y, ctrl }: Pointing, placing: Placeable): Vec3 | undefined {
    const engine = this.context.engine();
    const step = this.context.stepping() === ctrl ? undefined : this.context.steps().metres;
    return engine && placeFor(placing, engine.sight.rayAt(x, y), engine.sight.pick(x, y), step);
  }
}

/** What is seen of something that is not there yet. */
class PlacePreview implements Layer {
  readonly object: Mesh;
  private readonly geometry: BufferGeometry;
  private readonly material: MeshBasicMaterial | MeshLambertMaterial;
  private readonly remove: () => void;

  constructor(
    readonly engine: SceneEngine,
    { shape, heightMetres, widthMetres }: Placeable,
  ) {
    const side = Math.max(widthMetres, 0.3);
    const shaped = shapedOf(shape === undefined ? { shape: 'box', size: [side, side, side] } : geometryOf(shape));
    this.geometry = buildGeometry(shaped, FACETS);
    if (shape === undefined && heightMetres === 0) {
      // Models out of files have their origin where they stand.
      this.geometry.translate(0, 0, 0.5);
    }
    this.material = shape === undefined
      ? new MeshBasicMaterial({ color: TINT, wireframe: true })
      : new MeshLambertMaterial({ color: TINT, emissive: TINT, emissiveIntensity: 0.25, transparent: true, opacity: 0.65 });
    this.object = new Mesh(this.geometry, this.material);
    this.object.scale.set(...shaped.scale);
    this.object.visible = false;
    this.remove = engine.add(this);
  }

  show(place: Vec3 | undefined): void {
    this.object.visible = place !== undefined;
    if (place !== undefined) {
      this.object.position.set(...place);
    }
    this.engine.invalidate();
  }

  follow(): void {
    // It stands where the pointer put it.
  }

  refresh(): void {
    // It is made of nothing that the world has.
  }

  dispose(): void {
    this.remove();
    this.geometry.dispose();
    this.material.dispose();
  }
}
