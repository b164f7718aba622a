/** Looks into the samples of a frame: how far they reach, and what they are at an instant. */
import type { Trace } from '../../world/plotFrame';
import { sane, type Range } from './view';

/** Returns from where to where values reach within a range of x; undefined when there is none. */
export function extent(traces: readonly Trace[], within?: Range): Range | undefined {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const { x, y } of traces) {
    const first = within === undefined ? 0 : Math.max(0, indexBefore(x, within.min));
    const last = within === undefined ? x.length - 1 : Math.min(x.length - 1, indexBefore(x, within.max) + 1);
    for (let i = first; i <= last; i += 1) {
      const value = y[i] ?? Number.NaN;
      if (Number.isFinite(value)) {
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
    }
  }
  return min <= max ? { min, max } : undefined;
}

/** Returns from where to where x reaches, of samples that have a value. */
export function extentOfX(traces: readonly Trace[]): Range | undefined {
  return extent(traces.map((trace) => ({ ...trace, y: trace.x })));
}

/**
 * Returns a range with a little room around the values, that ends at round numbers: so an axis
 * holds still while the values only wander.
 */
export function roomy(values: Range | undefined, { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined } = {}): Range {
  const around = values ?? { min: min ?? (max ?? 1) - 1, max: max ?? (min ?? 0) + 1 };
  const flat = around.max - around.min <= 1e-9 * Math.max(1, Math.abs(around.max));
  const room = flat ? Math.max(Math.abs(around.max) * 0.1, 0.1) : (around.max - around.min) * 0.05;
  const step = niceStep((around.max - around.min + 2 * room) / 10);
  return sane({
    min: min ?? Math.floor((around.min - room) / step) * step,
    max: max ?? Math.ceil((around.max + room) / step) * step,
  });
}

/** Returns the least of 1, 2 and 5 times a power of ten that is not below a number. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Returns the place of the last sample at or before x; -1 when all are after it. */
export function indexBefore(xs: Float64Array, x: number): number {
  let low = 0;
  let high = xs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((xs[middle] ?? 0) <= x) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

/** Returns the last value of a curve at or before an instant; undefined when there is none. */
export function valueBefore(traces: readonly Trace[], curveId: string, x: number): number | undefined {
  let found: { readonly at: number; readonly value: number } | undefined;
  for (const trace of traces) {
    if (trace.curveId === curveId && !trace.discarded) {
      const index = indexBefore(trace.x, x);
      const at = trace.x[index];
      const value = trace.y[index];
      if (at !== undefined && value !== undefined && (found === undefined || at >= found.at)) {
        found = { at, value };
      }
    }
  }
  return found === undefined || Number.isNaN(found.value) ? undefined : found.value;
}

/** A sample near the mouse. */
export interface NearPoint {
  readonly curveId: string;
  readonly x: number;
  readonly y: number;
}

/** Returns the sample nearest to a place; `xScale` and `yScale` are pixels per unit of the axes. */
export function nearestPoint(
  traces: readonly Trace[], at: { readonly x: number; readonly y: number }, xScale: number, yScale: number,
): NearPoint | undefined {
  let best: NearPoint | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const { curveId, x: xs, y: ys } of traces) {
    for (let i = 0; i < xs.length; i += 1) {
      const x = xs[i] ?? Number.NaN;
      const y = ys[i] ?? Number.NaN;
      const distance = Math.hypot((x - at.x) * xScale, (y - at.y) * yScale);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = { curveId, x, y };
      }
    }
  }
  return best;
}
