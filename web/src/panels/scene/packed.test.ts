import { describe, expect, it } from 'vitest';

import { parseMesh } from './packed';

interface Part {
  readonly vertices: number;
  readonly triangles: number;
  readonly uvs?: boolean;
  readonly material?: number;
}

function packed(parts: readonly Part[], numbers: readonly number[], more = {}): ArrayBuffer {
  const text = JSON.stringify({ parts, materials: [], warnings: [], ...more });
  const padded = text.padEnd(Math.ceil(text.length / 4) * 4);
  const buffer = new ArrayBuffer(4 + padded.length + numbers.length * 4);
  const view = new DataView(buffer);
  view.setUint32(0, padded.length, true);
  new Uint8Array(buffer, 4).set(new TextEncoder().encode(padded));
  numbers.forEach((number, i) => {
    // Whole numbers are indices here, all others are coordinates.
    const at = 4 + padded.length + i * 4;
    if (Number.isInteger(number)) {
      view.setUint32(at, number, true);
    } else {
      view.setFloat32(at, number, true);
    }
  });
  return buffer;
}

const TRIANGLE = [...Array.from({ length: 18 }, () => 0.5), 0, 1, 2];
const part = { vertices: 3, triangles: 1 };

describe('packed meshes', () => {
  it('have parts, looks and warnings', () => {
    const uvs = [0.5, 0.5, 0.5, 0.5, 0.5, 0.25];
    const second = [...TRIANGLE.slice(0, 18), ...uvs, 2, 1, 0];
    const mesh = parseMesh(
      packed([part, { ...part, uvs: true, material: 0 }], [...TRIANGLE, ...second], {
        materials: [{ color: [1, 0.5, 0, 0.25], emissive: [0, 0, 0], texture: 3, roughness: 0.5, doubleSided: true }],
        warnings: ['no image', 7],
      }),
    );
    expect(mesh.parts.map(({ indices }) => [...indices])).toEqual([[0, 1, 2], [2, 1, 0]]);
    expect(mesh.parts[0]?.uvs).toBeUndefined();
    expect(mesh.parts[1]?.uvs?.[5]).toBe(0.25);
    expect(mesh.parts[1]?.material).toBe(0);
    expect(mesh.materials[0]).toEqual({
      color: [1, 0.5, 0], opacity: 0.25, emissive: [0, 0, 0], texture: 3,
      metalness: undefined, roughness: 0.5, doubleSided: true, alphaCutoff: undefined,
    });
    expect(mesh.warnings).toEqual(['no image']);
  });

  it.each([
    [new ArrayBuffer(3), 'The mesh is cut short'],
    [packed([part], TRIANGLE).slice(0, 24), 'The mesh is cut short'],
    [packed([part], TRIANGLE.slice(0, 10)), 'The mesh is cut short'],
    [packed([part], [...TRIANGLE, 1]), 'The mesh has 4 bytes too many'],
    [packed([part], [...TRIANGLE.slice(0, 18), 0, 1, 3]), 'The mesh names vertices that it does not have'],
    [packed([{ vertices: 2 ** 40, triangles: 1 }], TRIANGLE), 'The mesh claims 1099511627776 vertices or triangles'],
    [packed([{ vertices: -1, triangles: 1 }], TRIANGLE), 'The mesh claims -1 vertices or triangles'],
    [new Uint8Array([4, 0, 0, 0, 1, 2, 3, 4]).buffer, 'The mesh has no readable description'],
  ])('are refused when broken', (buffer, text) => {
    expect(() => parseMesh(buffer)).toThrow(text);
  });
});
