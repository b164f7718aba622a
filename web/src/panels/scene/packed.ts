/** The form in which meshes come from the host: a description in JSON, then plain numbers. */
import type { Vec3 } from '../../lib/pose';
import { readMap, readMaps, readNumbers } from '../../world/components';

/** More than this is refused before memory is taken for it. */
const MOST_VERTICES = 20_000_000;

export class MeshError extends Error {}

export interface PackedMesh {
  readonly parts: readonly PackedPart[];
  readonly materials: readonly MeshMaterial[];
  /** What the file asks for and is left out. */
  readonly warnings: readonly string[];
}

/** Triangles of one look; the arrays are views of what the host sent. */
export interface PackedPart {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer>;
  readonly uvs: Float32Array<ArrayBuffer> | undefined;
  readonly indices: Uint32Array<ArrayBuffer>;
  readonly material: number | undefined;
}

/** How a part looks unless the visual has a material of its own. */
export interface MeshMaterial {
  readonly color: Vec3;
  readonly opacity: number;
  readonly emissive: Vec3;
  /** Number of the image among those of the mesh. */
  readonly texture: number | undefined;
  readonly metalness: number | undefined;
  readonly roughness: number | undefined;
  readonly doubleSided: boolean;
  readonly alphaCutoff: number | undefined;
}

/**
 * Reads a mesh that the host has packed.
 * @throws MeshError when the bytes do not fit the description.
 */
export function parseMesh(buffer: ArrayBuffer): PackedMesh {
  const description = readDescription(buffer);
  const numbers = new Numbers(buffer, description.length);
  const parts = readMaps(description.fields['parts']).map((fields) => numbers.part(fields));
  numbers.finish();
  const materials = readMaps(description.fields['materials']).map(readMaterial);
  const warnings: unknown[] = Array.isArray(description.fields['warnings']) ? description.fields['warnings'] : [];
  return { parts, materials, warnings: warnings.filter((text) => typeof text === 'string') };
}

interface Description {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Bytes before the first number. */
  readonly length: number;
}

function readDescription(buffer: ArrayBuffer): Description {
  const textLength = buffer.byteLength < 4 ? Number.NaN : new DataView(buffer).getUint32(0, true);
  const length = 4 + textLength;
  if (!(length <= buffer.byteLength) || length % 4 !== 0) {
    throw new MeshError('The mesh is cut short');
  }
  try {
    const text = new TextDecoder().decode(new Uint8Array(buffer, 4, textLength));
    return { fields: readMap(JSON.parse(text)) ?? {}, length };
  } catch {
    throw new MeshError('The mesh has no readable description');
  }
}

/** Takes arrays out of a buffer, one after the other. */
class Numbers {
  constructor(
    private readonly buffer: ArrayBuffer,
    private offset: number,
  ) {}

  part(fields: Readonly<Record<string, unknown>>): PackedPart {
    const vertices = count(fields['vertices']);
    const triangles = count(fields['triangles']);
    const positions = this.floats(vertices * 3);
    const normals = this.floats(vertices * 3);
    const uvs = fields['uvs'] === true ? this.floats(vertices * 2) : undefined;
    const indices = new Uint32Array(this.buffer, this.take(triangles * 3), triangles * 3);
    if (indices.some((index) => index >= vertices)) {
      throw new MeshError('The mesh names vertices that it does not have');
    }
    return { positions, normals, uvs, indices, material: optional(fields['material']) };
  }

  finish(): void {
    if (this.offset !== this.buffer.byteLength) {
      throw new MeshError(`The mesh has ${this.buffer.byteLength - this.offset} bytes too many`);
    }
  }

  private floats(length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.buffer, this.take(length), length);
  }

  /** Moves on by `length` numbers and returns where they start. */
  private take(length: number): number {
    const start = this.offset;
    this.offset += length * 4;
    if (this.offset > this.buffer.byteLength) {
      throw new MeshError('The mesh is cut short');
    }
    return start;
  }
}

function count(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MOST_VERTICES) {
    throw new MeshError(`The mesh claims ${String(value)} vertices or triangles`);
  }
  return value;
}

function optional(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function readMaterial(fields: Readonly<Record<string, unknown>>): MeshMaterial {
  const [r = 1, g = 1, b = 1, opacity = 1] = readNumbers(fields['color'], 4) ?? [];
  const [er = 0, eg = 0, eb = 0] = readNumbers(fields['emissive'], 3) ?? [];
  return {
    color: [r, g, b],
    opacity,
    emissive: [er, eg, eb],
    texture: optional(fields['texture']),
    metalness: optional(fields['metalness']),
    roughness: optional(fields['roughness']),
    doubleSided: fields['doubleSided'] === true,
    alphaCutoff: optional(fields['alphaCutoff']),
  };
}
