/** The box that would turn as a body does: of the same mass, filled evenly, with the same moments. */
import { multiplyQuat, normalizedQuat, type Quat, type Vec3 } from '../../../lib/pose';

export interface InertiaBox {
  /** Lengths of its edges in metres. */
  readonly size: Vec3;
  /** From the frame of the moments to that of the box. */
  readonly rotation: Quat;
}

/** Moments xx, yy, zz and products xy, xz, yz about the centre of mass, in kg m². */
export interface Moments {
  readonly moments: Vec3;
  readonly products: Vec3;
}

/** Bodies have edges, however thin. */
const THINNEST = 1e-4;
const MOST_SWEEPS = 16;

/** Returns the box of equal inertia; undefined when a body has no mass or no such moments. */
export function inertiaBoxOf(massKg: number, inertia: Moments): InertiaBox | undefined {
  const { values: [a, b, c], rotation } = principalAxes(inertia);
  const edge = (one: number, other: number, own: number): number => Math.sqrt(Math.max(0, (6 * (one + other - own)) / massKg));
  const size: Vec3 = [edge(b, c, a), edge(a, c, b), edge(a, b, c)];
  const real = massKg > 0 && size.every(Number.isFinite) && Math.max(...size) > THINNEST;
  return real ? { size: [Math.max(size[0], THINNEST), Math.max(size[1], THINNEST), Math.max(size[2], THINNEST)], rotation } : undefined;
}

/** Turns the axes until no products are left: Jacobi's method. */
export function principalAxes({ moments, products }: Moments): { readonly values: Vec3; readonly rotation: Quat } {
  const [xx, yy, zz] = moments;
  const [xy, xz, yz] = products;
  const matrix = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0;
  let rotation: Quat = [0, 0, 0, 1];
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep += 1) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) {
      const angle = 0.5 * Math.atan2(2 * at(p, q), at(q, q) - at(p, p));
      if (at(p, q) !== 0 && Number.isFinite(angle)) {
        turn(matrix, p, q, angle);
        rotation = multiplyQuat(rotation, about(p, q, angle));
      }
    }
  }
  return { values: [at(0, 0), at(1, 1), at(2, 2)], rotation: normalizedQuat(rotation) ?? [0, 0, 0, 1] };
}

/** Turns a symmetric matrix in the plane of two axes so that their product becomes zero. */
function turn(matrix: number[][], p: number, q: number, angle: number): void {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const mix = (first: number[], second: number[]): void => {
    first.forEach((value, n) => {
      const other = second[n] ?? 0;
      first[n] = cos * value - sin * other;
      second[n] = sin * value + cos * other;
    });
  };
  const [rowP, rowQ] = [matrix[p], matrix[q]];
  if (rowP !== undefined && rowQ !== undefined) {
    mix(rowP, rowQ);
  }
  for (const row of matrix) {
    const [a, b] = [row[p] ?? 0, row[q] ?? 0];
    row[p] = cos * a - sin * b;
    row[q] = sin * a + cos * b;
  }
}

/** The turn of the axes `p` and `q` that goes with [`turn`]. */
function about(p: number, q: number, angle: number): Quat {
  const sin = Math.sin(-angle / 2);
  const cos = Math.cos(-angle / 2);
  if (p === 0 && q === 1) {
    return [0, 0, sin, cos];
  }
  // About y, from x to z is the other way round.
  return p === 0 ? [0, -sin, 0, cos] : [sin, 0, 0, cos];
}
