/** Meshes come from the host; until one is here nothing is drawn, and a box of wire if it never comes. */
import { BoxGeometry, BufferAttribute, BufferGeometry } from 'three';

import { errorText } from '../../lib/errorText';
import type { EntityId } from '../../world/entity';
import { MeshError, parseMesh, type MeshMaterial, type PackedPart } from './packed';

/** Edge of the box that stands for a mesh that cannot be drawn, in metres. */
const STAND_IN_METRES = 0.5;

/** A geometry to draw, and how it looks if the visual does not say. */
export interface ShapePart {
  readonly geometry: BufferGeometry;
  readonly material: MeshMaterial | undefined;
  /** Stands for a mesh that is not there: drawn as wire, in its own size. */
  readonly standIn: boolean;
}

/** How many of the meshes that were asked for are settled, one way or the other. */
export interface MeshProgress {
  readonly done: number;
  readonly asked: number;
}

export interface MeshEvents {
  /** A mesh can be drawn, or it is known that it cannot. */
  readonly settled: (progress: MeshProgress) => void;
  readonly asked: (progress: MeshProgress) => void;
  /** Something worth telling the person. */
  readonly warned: (text: string) => void;
}

export class MeshLoader {
  private readonly settled = new Map<string, readonly ShapePart[]>();
  private readonly asked = new Set<string>();
  private readonly standIn: ShapePart = {
    geometry: new BoxGeometry(STAND_IN_METRES, STAND_IN_METRES, STAND_IN_METRES),
    material: undefined,
    standIn: true,
  };
  private readonly abort = new AbortController();

  constructor(
    private readonly events: MeshEvents,
    private readonly get: typeof fetch = (...request) => fetch(...request),
  ) {}

  get progress(): MeshProgress {
    return { done: this.settled.size, asked: this.asked.size };
  }

  /** Returns what to draw for a mesh; nothing while it is on its way. */
  parts(key: string, source: EntityId): readonly ShapePart[] {
    if (!this.asked.has(key)) {
      this.asked.add(key);
      this.events.asked(this.progress);
      void this.load(key, source);
    }
    return this.settled.get(key) ?? [];
  }

  dispose(): void {
    this.abort.abort();
    this.standIn.geometry.dispose();
    for (const { geometry } of [...this.settled.values()].flat()) {
      geometry.dispose();
    }
    this.settled.clear();
  }

  private async load(key: string, source: EntityId): Promise<void> {
    try {
      this.settle(key, await this.fetchParts(source));
    } catch (error) {
      if (!this.abort.signal.aborted) {
        this.settle(key, [this.standIn]);
        this.events.warned(`Drawn as a box of wire: ${errorText(error)}`);
      }
    }
  }

  private settle(key: string, parts: readonly ShapePart[]): void {
    this.settled.set(key, parts);
    this.events.settled(this.progress);
  }

  private async fetchParts(source: EntityId): Promise<readonly ShapePart[]> {
    const response = await this.get(`/mesh/${source}`, { signal: this.abort.signal });
    if (!response.ok) {
      throw new MeshError((await response.text()).trim() || `the host says ${response.status}`);
    }
    const mesh = parseMesh(await response.arrayBuffer());
    for (const warning of mesh.warnings) {
      this.events.warned(warning);
    }
    return mesh.parts.map((part) => ({
      geometry: geometryOf(part),
      material: part.material === undefined ? undefined : mesh.materials[part.material],
      standIn: false,
    }));
  }
}

function geometryOf({ positions, normals, uvs, indices }: PackedPart): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  if (uvs !== undefined) {
    geometry.setAttribute('uv', new BufferAttribute(uvs, 2));
  }
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}
