/** Curves of joints: what is drawn of them, and where something is wrong. */
import { assertNever } from '../../../lib/assert';
import { formatNumber } from '../../../lib/format';
import type { Draft, MotionWarning, TaughtJoint, TaughtMotion, WarningKind } from '../../../world/teaching';
import { shownUnit, type AngleUnit, type ShownUnit } from '../angles';
import { roundStep, xOf, type Frame, type Span } from './scale';

export const QUANTITIES = ['position', 'velocity', 'acceleration'] as const;
/** What of the joints is drawn. */
export type Quantity = (typeof QUANTITIES)[number];

/** Values from the bottom to the top of the view. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Where values are drawn. */
export interface Sheet extends Range {
  readonly heightPx: number;
}

/** A joint and its samples at even times. */
export interface Line extends Span {
  readonly joint: TaughtJoint;
  /** Its place among the joints of the motion; colours go by it. */
  readonly place: number;
  /** Empty of a muted joint. */
  readonly values: Float32Array;
  /** Infinite without one. */
  readonly limits: Range;
}

/** How near a pointer has to be to a curve or a key on it, in pixels. */
const REACH_PX = 8;
/** The view is not closer than this to values that hardly change, in the unit of the joint. */
const LEAST_SPAN = 0.02;
/** More keys than this are not drawn: they would hide the curves, and the page would wait. */
const MOST_KNOTS = 4000;
/** Leaving the range of two waypoints by less is rounding. */
const OVERSHOOT_SLACK = 1e-4;

export function yOf({ low, high, heightPx }: Sheet, value: number): number {
  return ((high - value) / (high - low)) * heightPx;
}

export function valueAt({ low, high, heightPx }: Sheet, y: number): number {
  return high - (y / Math.max(heightPx, 1)) * (high - low);
}

export function linesOf({ motion, curves }: Draft, shown: ReadonlySet<string>, quantity: Quantity): readonly Line[] {
  return motion.joints.flatMap((joint, place) => {
    const values = curves?.joints[place]?.[quantity] ?? new Float32Array();
    const line = { joint, place, values, limits: limitsOf(joint, motion, quantity), from: curves?.from ?? 0, to: curves?.to ?? 0 };
    return shown.has(joint.name) ? [line] : [];
  });
}

/** What a joint is to be kept to; infinite without a limit. */
export function limitsOf(joint: TaughtJoint, motion: TaughtMotion, quantity: Quantity): Range {
  switch (quantity) {
    case 'position':
      return { low: joint.lower, high: joint.upper };
    case 'velocity':
      return around(Math.min(joint.maxVelocity, motion.maxVelocity ?? Number.POSITIVE_INFINITY));
    case 'acceleration':
      return around(motion.maxAcceleration ?? Number.POSITIVE_INFINITY);
    default:
      return assertNever(quantity);
  }
}

/** Returns the range of all lines and of `more` values, with air; limits are in it when one line is near them. */
export function rangeOf(lines: readonly Line[], more: readonly number[]): Range {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const take = (value: number): void => {
    if (Number.isFinite(value)) {
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
  };
  lines.forEach(({ values }) => {
    values.forEach(take);
  });
  more.forEach(take);
  if (low > high) {
    return { low: -1, high: 1 };
  }
  const only = lines.length === 1 ? lines[0] : undefined;
  const span = Math.max(high - low, LEAST_SPAN);
  const { low: lowest, high: highest } = only?.limits ?? around(Number.POSITIVE_INFINITY);
  const [near, far] = [lowest > low - span ? Math.min(low, lowest) : low, highest < high + span ? Math.max(high, highest) : high];
  const air = Math.max((far - near) * 0.12, LEAST_SPAN / 2);
  return { low: near - air, high: far + air };
}

export interface GridLine {
  readonly value: number;
  readonly text: string;
}

/** Returns values for the axis that are round in a unit of which one of the inner has `factor`. */
export function gridOf({ low, high, heightPx }: Sheet, factor = 1): readonly GridLine[] {
  const step = roundStep((((high - low) * factor) / Math.max(heightPx, 1)) * 20);
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const lines: GridLine[] = [];
  for (let place = Math.ceil((low * factor) / step); place * step <= high * factor && lines.length < 100; place += 1) {
    lines.push({ value: (place * step) / factor, text: formatNumber(place * step, digits) });
  }
  return lines;
}

/** Returns the path of samples `first` to `last` in SVG's language; what is out of sight is left out. */
export function pathOf(line: Line, frame: Frame, sheet: Sheet, [first, last]: readonly [number, number] = [0, line.values.length - 1]): string {
  const step = stepOf(line);
  const begin = Math.max(first, Math.floor((frame.from - line.from) / step) - 1);
  const end = Math.min(last, Math.ceil((frame.to - line.from) / step) + 1);
  const parts: string[] = [];
  for (let i = begin; i <= end; i += 1) {
    const value = line.values[i];
    if (value !== undefined && Number.isFinite(value)) {
      parts.push(`${parts.length === 0 ? 'M' : 'L'}${xOf(frame, line.from + i * step).toFixed(1)} ${yOf(sheet, value).toFixed(1)}`);
    }
  }
  return parts.join('');
}

/** Returns the value of a line at a time, between its samples too. */
export function sampleAt(line: Line, secs: number): number | undefined {
  const place = (secs - line.from) / stepOf(line);
  const [left, right] = [line.values[Math.floor(place)], line.values[Math.ceil(place)]];
  return left === undefined || right === undefined ? undefined : left + (right - left) * (place - Math.floor(place));
}

/** Returns the line nearest to a point of the view; undefined when none is near. */
export function lineAt(lines: readonly Line[], frame: Frame, sheet: Sheet, [secs, y]: readonly [number, number]): Line | undefined {
  let nearest: Line | undefined;
  let leastPx = REACH_PX;
  for (const line of lines) {
    const value = sampleAt(line, secs);
    const px = value === undefined ? Number.POSITIVE_INFINITY : Math.abs(yOf(sheet, value) - y);
    if (px <= leastPx && xOf(frame, secs) <= frame.widthPx) {
      nearest = line;
      leastPx = px;
    }
  }
  return nearest;
}

/** A key on a curve. */
export interface Knot {
  readonly id: string;
  readonly line: Line;
  readonly value: number;
  readonly x: number;
  readonly y: number;
  readonly enabled: boolean;
}

/** Returns the keys on the curves that are in sight. */
export function knotsOf(lines: readonly Line[], points: TaughtMotion['waypoints'], frame: Frame, sheet: Sheet): readonly Knot[] {
  return lines.flatMap((line) => points.flatMap(({ id, time, positions, enabled }) => {
    const value = positions[line.place];
    const x = xOf(frame, time);
    if (value === undefined || !Number.isFinite(value) || x < -REACH_PX || x > frame.widthPx + REACH_PX) {
      return [];
    }
    return [{ id, line, value, x, y: yOf(sheet, value), enabled }];
  }));
}

/** Returns the key nearest to a point; those of `preferred` waypoints win where several are in one place. */
export function knotAt(knots: readonly Knot[], x: number, y: number, preferred: ReadonlySet<string>): Knot | undefined {
  const near = knots.map((knot) => ({ knot, px: Math.hypot(knot.x - x, knot.y - y) - (preferred.has(knot.id) ? 2 : 0) }));
  return near.filter(({ px }) => px <= REACH_PX).sort((a, b) => a.px - b.px)[0]?.knot;
}

/** Returns the keys to draw: of very many, those of selected waypoints and of the curve under the pointer. */
export function drawnKnots(knots: readonly Knot[], selected: ReadonlySet<string>, hovered: Line | undefined): readonly Knot[] {
  return knots.length <= MOST_KNOTS ? knots : knots.filter(({ id, line }) => selected.has(id) || line.place === hovered?.place).slice(0, MOST_KNOTS);
}

/** Returns keys as one path of points, which a wide pen with a round tip makes dots: one element for all of a curve. */
export function dotsOf(knots: readonly Knot[]): string {
  return knots.map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h.01`).join('');
}

/** Returns the waypoints that have a key in a box. */
export function knotsIn(knots: readonly Knot[], box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }): readonly string[] {
  const inside = ({ x, y }: Knot): boolean => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
  return [...new Set(knots.filter(inside).map(({ id }) => id))];
}

/** Stretches of samples that are where they should not be, as first and last sample. */
export function wrongStretches(line: Line, { motion, warnings }: Draft, quantity: Quantity): readonly (readonly [number, number])[] {
  const beyond = stretches(line.values, (value) => value < line.limits.low || value > line.limits.high);
  if (quantity !== 'position') {
    return beyond;
  }
  const overshoots = warnings.filter(({ kind, joint }) => kind === 'overshoot' && joint === line.joint.name);
  return [...beyond, ...overshoots.flatMap(({ time }) => overshootAt(line, motion, time))];
}

/** Kinds of warnings that belong to a place on the curve of a joint. */
export function quantityOf(kind: WarningKind): Quantity | undefined {
  switch (kind) {
    case 'position':
    case 'overshoot':
      return 'position';
    case 'velocity':
    case 'acceleration':
      return kind;
    case 'collision':
    case 'unknown-joint':
    case 'order':
    case 'other':
      return undefined;
    default:
      return assertNever(kind);
  }
}

/** Says where the warnings of a quantity are on the lines. */
export function warningMarks(lines: readonly Line[], warnings: readonly MotionWarning[], quantity: Quantity): readonly { readonly warning: MotionWarning; readonly value: number }[] {
  return warnings.flatMap((warning) => {
    const line = lines.find(({ joint }) => joint.name === warning.joint);
    const value = line && quantityOf(warning.kind) === quantity ? sampleAt(line, warning.time) : undefined;
    return value === undefined ? [] : [{ warning, value }];
  });
}

/** Returns how a quantity of a joint is written. */
export function unitOf({ unit }: TaughtJoint, quantity: Quantity, angles: AngleUnit): ShownUnit {
  const { name, ...shown } = shownUnit(unit, angles);
  const per = { position: '', velocity: '/s', acceleration: '/s²' }[quantity];
  return { ...shown, name: `${name}${per}` };
}

/** Returns how the axis of lines is written; lines of several units are on it as they are inside. */
export function axisUnitOf(lines: readonly Line[], quantity: Quantity, angles: AngleUnit): Pick<ShownUnit, 'name' | 'factor'> {
  const units = new Set(lines.map(({ joint }) => joint.unit));
  const all = lines.map(({ joint }) => unitOf(joint, quantity, units.size > 1 ? 'rad' : angles));
  return { name: [...new Set(all.map(({ name }) => name))].join(', '), factor: units.size > 1 ? 1 : all[0]?.factor ?? 1 };
}

function overshootAt(line: Line, { waypoints }: TaughtMotion, time: number): readonly (readonly [number, number])[] {
  const counting = waypoints.filter(({ enabled }) => enabled);
  const right = counting.find((point) => point.time >= time);
  const left = counting.findLast((point) => point.time <= time && point !== right);
  const [a, b] = [left?.positions[line.place], right?.positions[line.place]];
  if (left === undefined || right === undefined || a === undefined || b === undefined) {
    return [];
  }
  const step = stepOf(line);
  const [low, high] = [Math.min(a, b) - OVERSHOOT_SLACK, Math.max(a, b) + OVERSHOOT_SLACK];
  return stretches(line.values, (value, i) => {
    const secs = line.from + i * step;
    return secs >= left.time && secs <= right.time && (value < low || value > high);
  });
}

function stretches(values: Float32Array, wrong: (value: number, place: number) => boolean): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  let begin: number | undefined;
  for (let i = 0; i <= values.length; i += 1) {
    const value = values[i];
    const bad = value !== undefined && wrong(value, i);
    if (bad) {
      begin ??= i;
    } else if (begin !== undefined) {
      found.push([begin, i - 1]);
      begin = undefined;
    }
  }
  return found;
}

function stepOf({ from, to, values }: Line): number {
  return Math.max((to - from) / Math.max(values.length - 1, 1), 1e-9);
}

function around(limit: number): Range {
  return { low: -limit, high: limit };
}
