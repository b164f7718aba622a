/** Something new follows the pointer until a click puts it down. */
import { BufferGeometry, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshLambertMaterial, Vector3 } from 'three';

import type { Vec3 } from '../../../lib/pose';
import type { Layer, SceneEngine } from '../engine';
import { shapedOf } from '../model';
import type { Pointing, PointerTool } from '../pointing';
import { buildGeometry } from '../shapes';
import type { Steps } from '../transform/drag';
import { placeFor, standInOf, type Placeable, type StandIn } from './place';

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
/** Radius of the mark where something of unknown size goes. */
const SPOT_METRES = 0.15;

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
  readonly object: Mesh | LineSegments;
  private readonly remove: () => void;

  constructor(
    readonly engine: SceneEngine,
    placing: Placeable,
  ) {
    this.object = objectOf(standInOf(placing));
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
    this.object.geometry.dispose();
    [this.object.material].flat().forEach((material) => {
      material.dispose();
    });
  }
}

function objectOf(standIn: StandIn): Mesh | LineSegments {
  if (standIn.kind === 'spot') {
    // Seen through what is in front: it is the only thing that says where the model goes.
    return new LineSegments(spotGeometry(), new LineBasicMaterial({ color: TINT, depthTest: false }));
  }
  const shaped = shapedOf(standIn.geometry);
  const material = standIn.kind === 'frame'
    ? new MeshBasicMaterial({ color: TINT, wireframe: true })
    : new MeshLambertMaterial({ color: TINT, emissive: TINT, emissiveIntensity: 0.25, transparent: true, opacity: 0.65 });
  const mesh = new Mesh(buildGeometry(shaped, FACETS), material);
  mesh.scale.set(...shaped.scale);
  return mesh;
}

/** A ring with a cross in it and a stem above, as a pin on a map. */
function spotGeometry(): BufferGeometry {
  const at = (turn: number, radius: number): Vector3 => new Vector3(radius * Math.cos(turn), radius * Math.sin(turn), 0);
  const ring = Array.from({ length: FACETS }, (_, n) => [n, n + 1].map((end) => at((end / FACETS) * 2 * Math.PI, SPOT_METRES))).flat();
  const cross = [0, Math.PI / 2].flatMap((turn) => [at(turn, -SPOT_METRES), at(turn, SPOT_METRES)]);
  return new BufferGeometry().setFromPoints([...ring, ...cross, at(0, 0), new Vector3(0, 0, 2 * SPOT_METRES)]);
}
