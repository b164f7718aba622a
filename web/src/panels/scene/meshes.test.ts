import { describe, expect, it } from 'vitest';

import { MeshLoader, type MeshProgress } from './meshes';

function packed(): ArrayBuffer {
  const text = '{"parts":[{"vertices":1,"triangles":0,"material":null}],"warnings":["no image"]}'.padEnd(84);
  const buffer = new ArrayBuffer(4 + text.length + 24);
  new DataView(buffer).setUint32(0, text.length, true);
  new Uint8Array(buffer, 4).set(new TextEncoder().encode(text));
  return buffer;
}

function loader(answer: () => Response) {
  const told: string[] = [];
  const progress: MeshProgress[] = [];
  const note = (now: MeshProgress): void => {
    progress.push(now);
  };
  const asked: string[] = [];
  const meshes = new MeshLoader(
    { settled: note, asked: note, warned: (text) => told.push(text) },
    (address) => {
      asked.push(address as string);
      return Promise.resolve(answer());
    },
  );
  return { meshes, told, progress, asked };
}

const settled = () => new Promise((done) => setTimeout(done));

describe('the mesh loader', () => {
  it('asks once for each mesh and tells how far it is', async () => {
    const { meshes, told, progress, asked } = loader(() => new Response(packed()));
    expect(meshes.parts('a', 1)).toEqual([]);
    meshes.parts('a', 2);
    meshes.parts('b', 3);
    await settled();
    expect(asked).toEqual(['/mesh/1', '/mesh/3']);
    expect(progress).toEqual([
      { done: 0, asked: 1 }, { done: 0, asked: 2 }, { done: 1, asked: 2 }, { done: 2, asked: 2 },
    ]);
    expect(meshes.parts('a', 1)).toMatchObject([{ standIn: false, material: undefined }]);
    expect(told).toEqual(['no image', 'no image']);
    meshes.dispose();
  });

  it.each([
    [() => new Response('cannot read a.dae', { status: 404 }), 'cannot read a.dae'],
    [() => new Response('', { status: 500 }), 'the host says 500'],
    [() => new Response('abc'), 'The mesh is cut short'],
  ])('draws a box of wire for what it cannot have, and says why', async (answer, reason) => {
    const { meshes, told, progress } = loader(answer);
    meshes.parts('a', 1);
    await settled();
    expect(meshes.parts('a', 1)).toMatchObject([{ standIn: true }]);
    expect(told).toEqual([`Drawn as a box of wire: ${reason}`]);
    expect(progress.at(-1)).toEqual({ done: 1, asked: 1 });
    meshes.dispose();
  });
});
