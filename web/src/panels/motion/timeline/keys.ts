/** Keys of the track: which one is hit, which are selected, how far they can go. */
import type { TaughtMotion, TaughtPoint } from '../../../world/teaching';
import { xOf, type Frame } from './scale';

/** How far from its middle a key is hit, in pixels. */
const REACH_PX = 8;
/** Keys that are nearer cannot be told apart, in pixels. */
const NEAREST_KEYS_PX = 2;
/** Waypoints are kept this far apart, in s: times of a motion rise. */
export const LEAST_GAP_SECS = 0.01;

/** How far items can be moved together, in s. */
export interface Leeway {
  readonly least: number;
  readonly most: number;
}

/** What keys were held while a pointer went down. */
export interface Held {
  readonly ctrl: boolean;
  readonly shift: boolean;
}

/** Returns the key nearest to a pixel; undefined when none is near. */
export function keyAt(points: readonly TaughtPoint[], frame: Frame, x: number): TaughtPoint | undefined {
  let nearest: TaughtPoint | undefined;
  let leastPx = REACH_PX;
  for (const point of points) {
    const px = Math.abs(xOf(frame, point.time) - x);
    if (px <= leastPx) {
      nearest = point;
      leastPx = px;
    }
  }
  return nearest;
}

/** A key in its place. */
export interface DrawnKey {
  readonly point: TaughtPoint;
  /** Its place among the waypoints. */
  readonly place: number;
  readonly x: number;
}

/** Returns the keys in sight; of those that are in one place, the first and the selected ones. */
export function drawnKeys(points: readonly TaughtPoint[], frame: Frame, selected: ReadonlySet<string>): readonly DrawnKey[] {
  let lastX = Number.NEGATIVE_INFINITY;
  return points.flatMap((point, place) => {
    const x = xOf(frame, point.time);
    const seen = x > -REACH_PX && x < frame.widthPx + REACH_PX;
    if (!seen || (x - lastX < NEAREST_KEYS_PX && !selected.has(point.id))) {
      return [];
    }
    lastX = x;
    return [{ point, place, x }];
  });
}

/** Ids of the items with times from one to the other, in any order. */
export function idsWithin(items: readonly { readonly id: string; readonly time: number }[], a: number, b: number): readonly string[] {
  const [from, to] = [Math.min(a, b), Math.max(a, b)];
  return items.filter(({ time }) => time >= from && time <= to).map(({ id }) => id);
}

/** Says what is selected after a click on a key; `anchor` is the one that was clicked before. */
export function selectedBy(points: readonly TaughtPoint[], selected: ReadonlySet<string>, id: string, { ctrl, shift }: Held, anchor?: string): ReadonlySet<string> {
  if (shift && anchor !== undefined) {
    const places = [anchor, id].map((each) => points.findIndex((point) => point.id === each));
    if (places.every((place) => place >= 0)) {
      const run = points.slice(Math.min(...places), Math.max(...places) + 1).map((point) => point.id);
      return new Set(ctrl ? [...selected, ...run] : run);
    }
  }
  if (ctrl || shift) {
    const next = new Set(selected);
    if (!next.delete(id)) {
      next.add(id);
    }
    return next;
  }
  return new Set([id]);
}

/** Returns how far waypoints can be moved together, so that all stay in order and after 0. */
export function leewayOf(points: readonly TaughtPoint[], ids: ReadonlySet<string>): Leeway {
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  points.forEach(({ id, time }, place) => {
    if (!ids.has(id)) {
      return;
    }
    const [before, after] = [points[place - 1], points[place + 1]];
    least = Math.max(least, -time);
    if (before !== undefined && !ids.has(before.id)) {
      least = Math.max(least, before.time + LEAST_GAP_SECS - time);
    }
    if (after !== undefined && !ids.has(after.id)) {
      most = Math.min(most, after.time - LEAST_GAP_SECS - time);
    }
  });
  // What is too near already may stay, and go away from its neighbour.
  return { least: Math.min(least, 0), most: Math.max(most, 0) };
}

/** Keeps a distance within what is possible. */
export function within({ least, most }: Leeway, by: number): number {
  return Math.min(Math.max(by, least), most);
}

/** The stretch that is played, and which of its ends are marked. */
export interface Played {
  readonly from: number;
  readonly to: number;
  readonly startMarked: boolean;
  readonly endMarked: boolean;
}

/** Returns what is played: from marker to marker, or from and to the ends. */
export function playedOf({ waypoints, start, end }: TaughtMotion): Played | undefined {
  const first = waypoints.find(({ id }) => id === start);
  const last = waypoints.find(({ id }) => id === end);
  const counting = waypoints.filter(({ enabled }) => enabled);
  const [from, to] = [first ?? counting[0], last ?? counting.at(-1)];
  if (from === undefined || to === undefined) {
    return undefined;
  }
  return { from: from.time, to: to.time, startMarked: first !== undefined, endMarked: last !== undefined };
}

/** How a key is spoken of: `Waypoint 3 at 1.50 s, off`. */
export function keyName(point: TaughtPoint, place: number, { start, end }: TaughtMotion): string {
  const marks = [point.id === start && 'start', point.id === end && 'end', !point.enabled && 'off', point.note].filter(Boolean);
  return [`Waypoint ${place + 1} at ${point.time.toFixed(2)} s`, ...marks].join(', ');
}
