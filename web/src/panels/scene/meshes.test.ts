import { describe, expect, it } from 'vitest';

import { parseMesh } from './meshes';

function mesh(vertices: number, indices: readonly number[]): ArrayBuffer {
  const buffer = new ArrayBuffer(8 + vertices * 12 + indices.length * 4);
  const view = new DataView(buffer);
  view.setUint32(0, vertices, true);
  view.setUint32(4, indices.length, true);
  indices.forEach((index, i) => {
    view.setUint32(8 + vertices * 12 + i * 4, index, true);
  });
  return buffer;
}

describe('meshes', () => {
  it('are read as they are', () => {
    const { positions, indices } = parseMesh(mesh(3, [0, 1, 2]));
    expect(positions).toHaveLength(9);
    expect([...indices]).toEqual([0, 1, 2]);
  });

  it.each([
    [new ArrayBuffer(4), 'The mesh is cut short'],
    [mesh(3, [0, 1, 2]).slice(0, 20), 'The mesh of 3 vertices does not fit its 20 bytes'],
    [mesh(3, [0, 1, 3]), 'The mesh names vertices that it does not have'],
  ])('are refused when broken', (buffer, text) => {
    expect(() => parseMesh(buffer)).toThrow(text);
  });
});
