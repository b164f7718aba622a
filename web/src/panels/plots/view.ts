/** What part of the axes a plot shows, and how wheel, drag and keys change it. */

/** From one number to a greater one. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The times that a tab shows: a stretch of them, or the present. */
export type TimeView = Range | 'live';

/** Where the curves are drawn, in pixels of the page from the corner of the plot. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Shortest stretch that an axis shows, as a share of its numbers and in its unit. */
const LEAST_SHARE = 1e-12;
const LEAST_SPAN = 1e-9;
const WIDEST_SPAN = 1e15;

/** Makes a range one that can be drawn: finite, in order, and not too short for its numbers. */
export function sane({ min, max }: Range): Range {
  if (!Number.isFinite(min) || !Number.isFinite(max)) {
    return { min: 0, max: 1 };
  }
  const [low, high] = min <= max ? [min, max] : [max, min];
  const least = Math.max(LEAST_SPAN, LEAST_SHARE * Math.max(Math.abs(low), Math.abs(high)));
  if (high - low >= least) {
    return { min: low, max: high };
  }
  const middle = (low + high) / 2;
  return { min: middle - least / 2, max: middle + least / 2 };
}

/** Scales a range about one of its numbers; a factor below 1 shows less. */
export function zoomed(range: Range, factor: number, about: number): Range {
  const span = (range.max - range.min) * factor;
  if (span > WIDEST_SPAN) {
    return range;
  }
  const share = (about - range.min) / (range.max - range.min);
  const min = about - share * span;
  return sane({ min, max: min + span });
}

export function panned({ min, max }: Range, by: number): Range {
  return { min: min + by, max: max + by };
}

/** Returns by what factor a turn of the wheel scales; wheels and touch pads give very unlike numbers. */
export function wheelFactor(deltaY: number): number {
  return 1.0015 ** Math.max(-400, Math.min(400, deltaY));
}

/** Returns the number at a pixel of the plot. */
export function xAt(pixel: number, area: Area, range: Range): number {
  return range.min + ((pixel - area.left) / area.width) * (range.max - range.min);
}

export function yAt(pixel: number, area: Area, range: Range): number {
  return range.max - ((pixel - area.top) / area.height) * (range.max - range.min);
}

/** Returns the pixel of the plot at which a number lies. */
export function xPixel(value: number, area: Area, range: Range): number {
  return area.left + ((value - range.min) / (range.max - range.min)) * area.width;
}

export function yPixel(value: number, area: Area, range: Range): number {
  return area.top + ((range.max - value) / (range.max - range.min)) * area.height;
}

/** A rectangle that was drawn with the mouse, from one corner to the other. */
export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Shorter sides than this do not count, in pixels: a flat box is meant for one axis. */
const FLAT = 14;

/** Says which axes a box is meant for; none when it is hardly more than a click. */
export function boxAxes({ x0, y0, x1, y1 }: Box): { readonly x: boolean; readonly y: boolean } {
  return { x: Math.abs(x1 - x0) >= FLAT, y: Math.abs(y1 - y0) >= FLAT };
}

/** Returns what lies inside a box. */
export function boxed(box: Box, area: Area, x: Range, y: Range): { readonly x: Range; readonly y: Range } {
  return {
    x: sane({ min: xAt(box.x0, area, x), max: xAt(box.x1, area, x) }),
    y: sane({ min: yAt(box.y0, area, y), max: yAt(box.y1, area, y) }),
  };
}

export type Side = 'x' | 'left' | 'right' | 'all';

/** Says which axes a pixel of the plot is about: those of the curves, or the one beside it. */
export function sideAt(x: number, y: number, area: Area): Side {
  if (x < area.left) {
    return 'left';
  }
  if (x > area.left + area.width) {
    return 'right';
  }
  return y > area.top + area.height ? 'x' : 'all';
}

/** What a key does to a view; undefined when it does nothing. */
export function viewOfKey(key: string, range: Range): Range | undefined {
  const span = range.max - range.min;
  switch (key) {
    case 'ArrowLeft':
      return panned(range, -span / 10);
    case 'ArrowRight':
      return panned(range, span / 10);
    case '+':
    case '=':
      return zoomed(range, 0.8, (range.min + range.max) / 2);
    case '-':
      return zoomed(range, 1.25, (range.min + range.max) / 2);
    default:
      return undefined;
  }
}
