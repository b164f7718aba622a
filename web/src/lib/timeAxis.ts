/** A stretch of time that is drawn from left to right. Places on it are shares of its width, from 0 to 1. */
import { formatLogTime } from './format';

export interface TimeRange {
  readonly fromSecs: number;
  readonly toSecs: number;
}

export interface Tick {
  readonly left: number;
  readonly text: string;
}

/** Returns where a time is; times outside are at the ends. */
export function shareIn({ fromSecs, toSecs }: TimeRange, secs: number): number {
  return toSecs > fromSecs ? clamp((secs - fromSecs) / (toSecs - fromSecs), 0, 1) : 0;
}

/** Returns the time at a place. */
export function secsAtShare({ fromSecs, toSecs }: TimeRange, share: number): number {
  return fromSecs + clamp(share, 0, 1) * (toSecs - fromSecs);
}

/** Times to write below, not more than `most` of them, in round steps. */
export function ticksIn(range: TimeRange, most: number): readonly Tick[] {
  const { fromSecs, toSecs } = range;
  if (toSecs <= fromSecs || most < 1) {
    return [];
  }
  const step = roundStep((toSecs - fromSecs) / most);
  const first = Math.ceil(fromSecs / step - 1e-9);
  const last = Math.floor(toSecs / step + 1e-9);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => {
    const secs = (first + index) * step;
    return { left: shareIn(range, secs), text: tickText(secs, step) };
  });
}

/** How near to the end a text is written before its line, in shares of the width. */
export const LAST_TICK = 0.97;

/** Takes the text out that the last one, written before its line, would run into. */
export function readableTicks(ticks: readonly Tick[], widthPx: number): readonly Tick[] {
  const [before, last] = ticks.slice(-2);
  const crowded = before !== undefined && last !== undefined && last.left > LAST_TICK && (last.left - before.left) * widthPx < 80;
  return crowded ? ticks.map((tick) => (tick === before ? { ...tick, text: '' } : tick)) : ticks;
}

/** The next of 1, 2, 5, 10, 20, 50 … upwards; minutes and their parts from 10 s on. */
export function roundStep(least: number): number {
  const long = [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].find((step) => step >= least);
  if (least > 5 && long !== undefined) {
    return long;
  }
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10);
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

function tickText(secs: number, step: number): string {
  if (secs >= 60) {
    return formatLogTime(secs).replace(/\.00$/u, '');
  }
  return `${secs.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))} s`;
}
