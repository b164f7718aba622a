/** Where copies go: beside what they are copies of, or under the mouse, arranged alike. */
import type { Copy } from '../commands/copyEntities';
import type { Pose, Vec3 } from '../lib/pose';
import { plus } from '../lib/vector';
import type { EntityId } from '../world/entity';

/** Something to copy; what is not seen has no bounds. */
export interface Original {
  readonly id: EntityId;
  readonly pose: Pose;
  readonly bounds: { readonly min: Vec3; readonly max: Vec3 } | undefined;
}

/** Room between a thing and its copy, in metres. */
const GAP = 0.1;

/** Returns copies beside the originals along x, the n-th of them n places away. */
export function copiesBeside(originals: readonly Original[], n = 1): readonly Copy[] {
  const { min, max } = around(originals);
  return moved(originals, [n * (max[0] - min[0] + GAP), 0, 0]);
}

/** Returns copies that stand on a place together. */
export function copiesAt(originals: readonly Original[], [x, y, z]: Vec3): readonly Copy[] {
  const { min, max } = around(originals);
  return moved(originals, [x - (min[0] + max[0]) / 2, y - (min[1] + max[1]) / 2, z - min[2]]);
}

function moved(originals: readonly Original[], offset: Vec3): readonly Copy[] {
  return originals.map(({ id, pose }) => ({ entity: id, pose: { ...pose, position: plus(pose.position, offset) } }));
}

/** A box around all of them; around their origins when nothing of them is seen. */
function around(originals: readonly Original[]): { readonly min: Vec3; readonly max: Vec3 } {
  const boxes = originals.map(({ bounds, pose }) => bounds ?? { min: pose.position, max: pose.position });
  const edge = (place: number, pick: (...values: number[]) => number, side: 'min' | 'max'): number => pick(...boxes.map((box) => box[side][place] ?? 0));
  return {
    min: [edge(0, Math.min, 'min'), edge(1, Math.min, 'min'), edge(2, Math.min, 'min')],
    max: [edge(0, Math.max, 'max'), edge(1, Math.max, 'max'), edge(2, Math.max, 'max')],
  };
}
