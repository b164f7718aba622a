import { BoxGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, Vector3 } from 'three';
import { expect, it } from 'vitest';

import { quatOfRollPitchYaw, type Pose } from '../../lib/pose';
import type { Slot } from './batches';
import { hasArrived, Preview } from './preview';

const AT_TWO: Pose = { position: [2, 0, 0], rotation: [0, 0, 0, 1] };

/** A part half a metre above its thing, which is at x = 2. */
function slot(): Slot {
  const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 1);
  mesh.setMatrixAt(0, new Matrix4().setPosition(2, 0, 0.5));
  return { visual: 7, mesh, index: 0, scale: [1, 1, 1] } as unknown as Slot;
}

function placeOf({ mesh, index }: Slot): readonly number[] {
  const matrix = new Matrix4();
  mesh.getMatrixAt(index, matrix);
  return new Vector3().setFromMatrixPosition(matrix).toArray();
}

it('draws a thing elsewhere, larger, and where it was again', () => {
  const part = slot();
  const preview = new Preview(() => [part], () => AT_TWO);
  preview.show(7, { pose: { position: [0, 5, 0], rotation: [0, 0, 0, 1] }, factor: [1, 1, 3] });
  expect(preview.apply()).toBe(true);
  expect(placeOf(part)).toEqual([0, 5, 1.5]);
  preview.clear();
  expect(placeOf(part)).toEqual([2, 0, 0.5]);
  expect(preview.apply()).toBe(false);
});

it('goes on with other visuals of the thing', () => {
  const parts = [slot()];
  const preview = new Preview(() => parts, () => AT_TWO);
  preview.show(7, { pose: { position: [1, 0, 0], rotation: [0, 0, 0, 1] }, factor: [1, 1, 1] });
  const later = slot();
  parts[0] = later;
  preview.refresh();
  preview.apply();
  expect(placeOf(later)).toEqual([1, 0, 0.5]);
});

it('has arrived when it is nearer to where it was sent', () => {
  const to: Pose = { position: [2, 0, 0], rotation: quatOfRollPitchYaw([0, 0, 1]) };
  expect(hasArrived(AT_TWO, AT_TWO, to)).toBe(false);
  expect(hasArrived({ ...to, position: [2, 0, -0.01] }, AT_TWO, to)).toBe(true);
});
