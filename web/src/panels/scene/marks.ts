/** Places on surfaces as they are drawn over the view. */
import type { Vec3 } from '../../lib/pose';
import { plus, times } from '../../lib/vector';
import type { SceneEngine } from './engine';

/** A place, and where the end of its normal is, in pixels. */
export interface Mark {
  readonly at: readonly [number, number];
  readonly tip: readonly [number, number];
}

/** Length of normals in pixels. */
const NORMAL_PX = 28;

/** Returns the mark of a place; none when it is not seen. */
export function markOf(engine: SceneEngine | undefined, place: { readonly point: Vec3; readonly normal: Vec3 } | undefined): readonly Mark[] {
  if (engine === undefined || place === undefined) {
    return [];
  }
  const { sight } = engine;
  const at = sight.screenOf(place.point);
  const tip = sight.screenOf(plus(place.point, times(place.normal, NORMAL_PX * sight.metresPerPixel(place.point))));
  return at === undefined || tip === undefined ? [] : [{ at, tip }];
}
