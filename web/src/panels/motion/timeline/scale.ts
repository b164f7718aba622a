/** Times and pixels of a track: which stretch of time is seen, and how wide it is drawn. */
import type { TaughtMotion } from '../../../world/teaching';

/** A stretch of time, in s. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A stretch of time and the width that it is drawn in. */
export interface Frame extends Span {
  readonly widthPx: number;
}

export interface Tick {
  readonly secs: number;
  /** Empty for the small ones between. */
  readonly text: string;
}

const SHORTEST_SECS = 0.05;
const LONGEST_SECS = 100_000;
/** What times are rounded to, so that they can be read and hit again. */
const GRID_SECS = 0.01;
/** Times that are nearer cannot be read, in pixels. */
const NEAREST_LABELS_PX = 56;

export function xOf({ from, to, widthPx }: Frame, secs: number): number {
  return ((secs - from) / (to - from)) * widthPx;
}

export function secsAt({ from, to, widthPx }: Frame, x: number): number {
  return from + (x / Math.max(widthPx, 1)) * (to - from);
}

/** Rounds a time, unless it is to be free. */
export function snapped(secs: number, free: boolean): number {
  return free ? secs : rounded(secs, GRID_SECS);
}

/** Rounds to a whole number of steps, without the dust of binary fractions. */
export function rounded(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toFixed(10));
}

/** Returns the whole of a motion: from 0 to its last waypoint or action. */
export function wholeSpan({ waypoints, actions }: TaughtMotion): Span {
  const times = [...waypoints, ...actions].map(({ time }) => time).filter((time) => Number.isFinite(time));
  const from = times.reduce((least, time) => Math.min(least, time), 0);
  const to = times.reduce((most, time) => Math.max(most, time), 0);
  return { from, to: Math.max(to, from + 1) };
}

/** Returns a stretch with some air at both ends. */
export function aired({ from, to }: Span, widthPx: number): Span {
  // The same number of pixels at both ends, however wide the track is.
  const airSecs = ((to - from) * 14) / Math.max(widthPx - 28, 14);
  return { from: from - airSecs, to: to + airSecs };
}

/** Zooms about the time at a pixel; a factor below 1 shows less time. */
export function zoomed(frame: Frame, x: number, factor: number): Span {
  const span = Math.min(Math.max((frame.to - frame.from) * factor, SHORTEST_SECS), LONGEST_SECS);
  const pivot = secsAt(frame, x);
  const from = pivot - (x / Math.max(frame.widthPx, 1)) * span;
  return { from, to: from + span };
}

/** Moves what is seen by pixels, as far as a part of the motion stays in sight. */
export function panned(frame: Frame, byPx: number, whole: Span): Span {
  const span = frame.to - frame.from;
  const wanted = frame.from + (byPx / Math.max(frame.widthPx, 1)) * span;
  const from = Math.min(Math.max(wanted, whole.from - 0.9 * span), whole.to - 0.1 * span);
  return { from, to: from + span };
}

/** Returns a stretch of the same length with a time in it; the same one when it is in already. */
export function revealing({ from, to }: Span, secs: number): Span {
  const span = to - from;
  return secs >= from + 0.05 * span && secs <= to - 0.05 * span ? { from, to } : { from: secs - span / 2, to: secs + span / 2 };
}

/** Returns the marks of the ruler: written ones at round times, small ones between them. */
export function ticksOf(frame: Frame): readonly Tick[] {
  const span = frame.to - frame.from;
  if (!(span > 0) || frame.widthPx <= 0) {
    return [];
  }
  const step = roundStep((span / frame.widthPx) * NEAREST_LABELS_PX);
  const small = step / 5;
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const ticks: Tick[] = [];
  for (let place = Math.ceil(frame.from / small - 1e-9); place * small <= frame.to + 1e-9; place += 1) {
    const secs = place * small;
    ticks.push({ secs, text: place % 5 === 0 ? spoken(secs, digits) : '' });
  }
  return ticks;
}

/** Returns the least of 1, 2, 5, 10, 20, 50 … that is not below a number. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const share = least / power;
  return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

function spoken(value: number, digits: number): string {
  const text = value.toFixed(digits).replace('-', '−');
  return /^−[0.]+$/u.test(text) ? text.slice(1) : text;
}
