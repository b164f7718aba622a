/** Distances between two places and angles at a third, as numbers and as lines over the view. */
import type { Vec3 } from '../../../lib/pose';
import { dot, minus, unit } from '../../../lib/vector';

type Point = readonly [number, number];
/** Where a point of the world is seen, in pixels; undefined when it is not. */
export type Project = (point: Vec3) => Point | undefined;

export const KINDS = ['distance', 'angle'] as const;
export type MeasureKind = (typeof KINDS)[number];

/** How many places a measurement has. */
export function placesOf(kind: MeasureKind): number {
  return kind === 'distance' ? 2 : 3;
}

/** What is read off: the result, and what it is made of. */
export interface Reading {
  readonly result: string;
  readonly parts: string;
}

/** Reads places: two are a distance, three an angle at the second. */
export function readingOf(places: readonly Vec3[]): Reading | undefined {
  const [a, b, c] = places;
  if (a === undefined || b === undefined) {
    return undefined;
  }
  if (c === undefined) {
    const [x, y, z] = minus(b, a);
    const parts = ([['Δx', x], ['Δy', y], ['Δz', z]] as const).map(([name, value]) => `${name} ${numberText(value, 3)}`).join('  ');
    return { result: `${numberText(Math.hypot(x, y, z), 3)} m`, parts: `${parts} m` };
  }
  const [one, other] = [minus(a, b), minus(c, b)];
  const parts = `${numberText(Math.hypot(...one), 3)} m and ${numberText(Math.hypot(...other), 3)} m`;
  return { result: `${numberText((angleBetween(one, other) * 180) / Math.PI, 2)}°`, parts };
}

/** Angle between two directions, in radians; 0 when one has none. */
export function angleBetween(a: Vec3, b: Vec3): number {
  return Math.acos(Math.min(1, Math.max(-1, dot(unit(a), unit(b))))) * (Math.hypot(...a) > 0 && Math.hypot(...b) > 0 ? 1 : 0);
}

export interface Line {
  readonly points: readonly Point[];
  /** The line itself, or the way along one axis. */
  readonly tone: 'main' | 'x' | 'y' | 'z';
}

/** A measurement as it is seen. */
export interface Drawn {
  readonly dots: readonly Point[];
  readonly lines: readonly Line[];
  readonly label: { readonly at: Point; readonly reading: Reading } | undefined;
}

/** Returns what is seen of places. */
export function drawnOf(places: readonly Vec3[], project: Project): Drawn {
  const dots = places.map(project).filter((point) => point !== undefined);
  const main = line(places, 'main', project);
  const [a, b] = places;
  const ways = places.length === 2 && a !== undefined && b !== undefined ? alongAxes(a, b, project) : [];
  const reading = readingOf(places);
  const at = labelPlace(places.map(project));
  return { dots, lines: [...ways, ...main], label: reading === undefined || at === undefined ? undefined : { at, reading } };
}

/** From one place to the other along x, then y, then z. */
function alongAxes(a: Vec3, b: Vec3, project: Project): readonly Line[] {
  const corner: Vec3 = [b[0], a[1], a[2]];
  const second: Vec3 = [b[0], b[1], a[2]];
  const ways = [[a, corner, 'x'], [corner, second, 'y'], [second, b, 'z']] as const;
  return ways.flatMap(([from, to, tone]) => line([from, to], tone, project));
}

function line(places: readonly Vec3[], tone: Line['tone'], project: Project): readonly Line[] {
  const points = places.map(project);
  return points.length > 1 && points.every((point) => point !== undefined) ? [{ points, tone }] : [];
}

/** In the middle of a distance, at the corner of an angle. */
function labelPlace(points: readonly (Point | undefined)[]): Point | undefined {
  const [a, b] = points;
  if (a === undefined || b === undefined) {
    return undefined;
  }
  return points.length > 2 ? b : [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

function numberText(value: number, digits: number): string {
  const text = value.toFixed(digits);
  // A zero has no sign.
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace('-', '−');
}
