/** Meshes come from the host as flat arrays; until they are here a stand-in is drawn. */
import { BoxGeometry, BufferAttribute, BufferGeometry } from 'three';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';

import type { EntityId } from '../../world/entity';

/** Edges sharper than this stay sharp. */
const CREASE_RAD = (40 * Math.PI) / 180;
/** More than this is refused before memory is taken for it. */
const MOST_VERTICES = 20_000_000;

export class MeshError extends Error {}

export class MeshLoader {
  private readonly loaded = new Map<string, BufferGeometry>();
  private readonly asked = new Set<string>();
  private readonly placeholder = new BoxGeometry(0.2, 0.2, 0.2);
  private readonly abort = new AbortController();

  /**
   * `arrived` is called when a mesh can be drawn, `failed` when it never will be.
   */
  constructor(
    private readonly arrived: () => void,
    private readonly failed: (error: MeshError) => void,
  ) {}

  geometry(key: string, source: EntityId): BufferGeometry {
    if (!this.asked.has(key)) {
      this.asked.add(key);
      void this.load(key, source);
    }
    return this.loaded.get(key) ?? this.placeholder;
  }

  isPlaceholder(geometry: BufferGeometry): boolean {
    return geometry === this.placeholder;
  }

  dispose(): void {
    this.abort.abort();
    this.placeholder.dispose();
    for (const geometry of this.loaded.values()) {
      geometry.dispose();
    }
    this.loaded.clear();
  }

  private async load(key: string, source: EntityId): Promise<void> {
    try {
      const response = await fetch(`/mesh/${source}`, { signal: this.abort.signal });
      if (!response.ok) {
        throw new MeshError(`The host has no ${key} (${response.status})`);
      }
      this.loaded.set(key, geometryOf(parseMesh(await response.arrayBuffer())));
      this.arrived();
    } catch (error) {
      if (!this.abort.signal.aborted) {
        this.failed(error instanceof MeshError ? error : new MeshError(`Cannot load ${key}: ${String(error)}`));
      }
    }
  }
}

export interface MeshArrays {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly indices: Uint32Array<ArrayBuffer>;
}

/** Reads the host's mesh format: two counts, positions, indices, all little-endian. */
export function parseMesh(buffer: ArrayBuffer): MeshArrays {
  if (buffer.byteLength < 8) {
    throw new MeshError('The mesh is cut short');
  }
  const view = new DataView(buffer);
  const vertices = view.getUint32(0, true);
  const indexCount = view.getUint32(4, true);
  if (vertices > MOST_VERTICES || buffer.byteLength !== 8 + vertices * 12 + indexCount * 4) {
    throw new MeshError(`The mesh of ${vertices} vertices does not fit its ${buffer.byteLength} bytes`);
  }
  const positions = new Float32Array(buffer, 8, vertices * 3);
  const indices = new Uint32Array(buffer, 8 + vertices * 12, indexCount);
  if (indices.some((index) => index >= vertices)) {
    throw new MeshError('The mesh names vertices that it does not have');
  }
  return { positions, indices };
}

function geometryOf({ positions, indices }: MeshArrays): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  const creased = toCreasedNormals(geometry, CREASE_RAD);
  geometry.dispose();
  return creased;
}
