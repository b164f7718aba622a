/** Where things are on the timeline, and what they are called. Places are shares of its width, from 0 to 1. */
import type { TimelineLimits } from '../../commands/editTimeline';
import { formatBytes, formatCount, formatSimTime } from '../../lib/format';
import { clamp, roundStep, secsAtShare, shareIn, type TimeRange } from '../../lib/timeAxis';
import type { Bookmark, Branch, Span, Timeline } from '../../world/timeline';
import type { Place } from './host';
import { endOf, keptOf, lineOf, nearestKept, ownParts, type Line } from './lines';

/** A stretch of a lane. */
export interface Bar {
  readonly kind: 'kept' | 'gap';
  readonly left: number;
  readonly width: number;
  readonly title: string;
}

/** Something that happened at an instant. */
export interface LaneMark {
  readonly kind: 'jump' | 'fork' | 'bookmark';
  readonly left: number;
  readonly atSecs: number;
  /** Of a bookmark its name; empty otherwise. */
  readonly name: string;
  readonly title: string;
}

export interface Lane {
  readonly name: string;
  readonly live: boolean;
  /** Who left it and by what, or what it is. */
  readonly caption: string;
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly marks: readonly LaneMark[];
  /** Where it leaves another lane, and how many rows above that one is. */
  readonly fork: { readonly left: number; readonly rowsUp: number } | undefined;
  readonly end: number;
}

export const MIB = 1024 * 1024;
/** What is kept unless somebody says otherwise. */
export const USUAL_MIB = 256;

/** A gap before the first kept instant takes no more than this part of what is kept. */
const MOST_GAP = 0.15;
/** Lengths that the axis has in turn, so that nothing crawls under the hand while time goes on. */
const SPANS: readonly number[] = [
  1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1500, 1800, 2400, 3000, 3600,
];

/** Returns the times that the timeline has room for. */
export function axisOf({ branches }: Timeline, nowSecs: number): TimeRange {
  const parts = branches.flatMap((branch) => ownParts(branch, nowSecs));
  const kept = branches.flatMap((branch) => keptOf(ownParts(branch, nowSecs), branch.gaps));
  const firstSecs = least(parts, 0);
  const lastSecs = Math.max(nowSecs, ...branches.map((branch) => endOf(branch, nowSecs)));
  const keptSecs = least(kept, firstSecs);
  const fromSecs = Math.max(firstSecs, keptSecs - MOST_GAP * (lastSecs - keptSecs));
  const length = lastSecs - fromSecs;
  return { fromSecs, toSecs: fromSecs + (SPANS.find((span) => span >= length) ?? Math.ceil(length / 1800) * 1800) };
}

/** Returns a lane for each branch, the one that goes on first. */
export function lanesOf(timeline: Timeline, nowSecs: number, axis: TimeRange): readonly Lane[] {
  return timeline.branches.map((branch, row) => {
    const { fork, name } = branch;
    const parent = fork === undefined ? -1 : timeline.branches.findIndex((other) => other.name === fork.of);
    return {
      ...headOf(branch, nowSecs),
      bars: barsOf(ownParts(branch, nowSecs), branch.gaps, axis),
      marks: [...jumpsOf(branch, axis), ...flagsOf(timeline.bookmarks.filter((bookmark) => bookmark.branch === name), axis)],
      fork: fork === undefined || parent < 0 ? undefined : { left: shareIn(axis, fork.atSecs), rowsUp: row - parent },
      end: shareIn(axis, endOf(branch, nowSecs)),
    };
  });
}

/** Returns one lane with all that leads to the end of a branch, and marks where others leave it. */
export function lineLane(timeline: Timeline, branch: Branch, nowSecs: number, axis: TimeRange): Lane {
  const line = lineOf(timeline, branch.name, nowSecs);
  const on = new Set(line?.parts.map((part) => part.branch) ?? []);
  const covers = (name: string, secs: number): boolean =>
    line?.parts.some((part) => part.branch === name && part.fromSecs <= secs && secs <= part.toSecs) ?? false;
  const leaving = timeline.branches.filter(({ name, fork }) => fork !== undefined && !on.has(name) && covers(fork.of, fork.atSecs));
  const forks = leaving.map((other): LaneMark => {
    const atSecs = other.fork?.atSecs ?? 0;
    return { kind: 'fork', left: shareIn(axis, atSecs), atSecs, name: '', title: `${other.name} leaves here, at ${formatSimTime(atSecs)}. ${captionOf(other)}` };
  });
  return {
    ...headOf(branch, nowSecs),
    bars: barsOf(line?.parts ?? [], line?.gaps ?? [], axis),
    marks: [...forks, ...flagsOf(timeline.bookmarks.filter((bookmark) => covers(bookmark.branch, bookmark.atSecs)), axis)],
    fork: undefined,
    end: shareIn(axis, endOf(branch, nowSecs)),
  };
}

/** Returns the instant that is meant by a place of a lane: one that is kept. */
export function placeAt(timeline: Timeline, name: string, nowSecs: number, secs: number): Place | undefined {
  const line = lineOf(timeline, name, nowSecs);
  return line && { branch: name, secs: nearestKept(line, secs) };
}

/** Says whether a place is now, as far as anybody can tell. */
export function isNow(timeline: Timeline, { branch, secs }: Place, nowSecs: number): boolean {
  return timeline.branches.some(({ name, live }) => live && name === branch) && secs >= nowSecs;
}

/** How far an arrow key goes, in seconds: a step of the world at least. */
export function arrowSecs({ fromSecs, toSecs }: TimeRange, stepSecs: number): number {
  return Math.max(roundStep((toSecs - fromSecs) / 200), stepSecs);
}

/** Returns the nearest mark before or after a time; undefined when there is none. */
export function markBeside(marks: readonly LaneMark[], secs: number, direction: 'before' | 'after'): LaneMark | undefined {
  const sorted = [...marks].sort((a, b) => a.atSecs - b.atSecs);
  const slack = 1e-6;
  return direction === 'after' ? sorted.find(({ atSecs }) => atSecs > secs + slack) : sorted.findLast(({ atSecs }) => atSecs < secs - slack);
}

/** What a place of a lane says when it is pointed at. */
export function hoverText(line: Line, axis: TimeRange, share: number): string {
  const secs = clamp(secsAtShare(axis, share), line.fromSecs, line.toSecs);
  const kept = nearestKept(line, secs);
  return kept === secs ? `${formatSimTime(secs)} · ${line.name}` : `${formatSimTime(secs)} is not kept · first is ${formatSimTime(kept)}`;
}

/** What screen readers say of where the page is. */
export function spokenPlace(place: Place | undefined, live: Branch | undefined, nowSecs: number): string {
  return place === undefined
    ? `Live, ${formatSimTime(nowSecs)}${live === undefined ? '' : ` on ${live.name}`}`
    : `Past, ${formatSimTime(place.secs)} on ${place.branch}`;
}

/** What is kept, in a line. */
export function usageOf({ keyframes, bytes, maxBytes, maxAgeSecs, dropped }: Timeline): string {
  const states = keyframes === 1 ? '1 state' : `${formatCount(keyframes)} states`;
  const lost = dropped === 0 ? '' : ` · ${formatCount(dropped)} dropped for lack of room`;
  return `${states} · ${formatBytes(bytes)} of ${formatBytes(maxBytes)} · up to ${formatSimTime(maxAgeSecs)} back${lost}`;
}

/** Characters that the name of a branch or a bookmark can have. */
export const MOST_NAME = 64;

/** Says why a text cannot be a name; undefined when it can. */
export function nameProblem(text: string, taken: readonly string[], what: string): string | undefined {
  const name = text.trim();
  if (name === '') {
    return `Give the ${what} a name`;
  }
  if (Array.from(name).length > MOST_NAME) {
    return `A name has at most ${MOST_NAME} characters`;
  }
  return taken.includes(name) ? `There is a ${what} named “${name}” already` : undefined;
}

/** Returns a name that nothing has yet. */
export function freeName(stem: string, taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(`${stem} ${number}`)) {
    number += 1;
  }
  return `${stem} ${number}`;
}

/** Returns the branch that another one is compared with unless somebody says otherwise. */
export function partnerOf(branches: readonly Branch[], name: string): string {
  const others = branches.filter((branch) => branch.name !== name);
  return (others.find(({ live }) => live) ?? others[0])?.name ?? name;
}

/** What is lost with a branch or a bookmark. */
export function deletionText(kind: 'branch' | 'bookmark', branch: Branch | undefined): string {
  if (kind === 'bookmark' || branch === undefined) {
    return 'The name is gone for everybody. The instant stays as long as its branch does';
  }
  const lost = branch.segments.reduce((sum, { fromSecs, toSecs }) => sum + toSecs - fromSecs, 0);
  return `${formatSimTime(lost)} of the past are forgotten, for everybody. This cannot be undone`;
}

/** Reads the fields of the limits. */
export function limitsFrom(memory: string, age: string): { readonly limits: TimelineLimits } | { readonly problem: string } {
  const [mib, maxAgeSecs] = [wholeNumber(memory), wholeNumber(age)];
  if (mib === undefined || mib > 1_048_576) {
    return { problem: 'The memory is a whole number of MiB, 0 to 1048576' };
  }
  if (maxAgeSecs === undefined || maxAgeSecs < 1 || maxAgeSecs > 1e9) {
    return { problem: 'The reach is a whole number of seconds, 1 to 1000000000' };
  }
  return { limits: { maxBytes: mib * MIB, maxAgeSecs } };
}

function wholeNumber(text: string): number | undefined {
  return /^\s*\d{1,10}\s*$/u.test(text) ? Number(text) : undefined;
}

function headOf(branch: Branch, nowSecs: number): Pick<Lane, 'name' | 'live' | 'caption' | 'title'> {
  const { name, live, fork } = branch;
  const caption = captionOf(branch);
  const from = fork === undefined ? '' : `, from ${formatSimTime(fork.atSecs)} of ${fork.of}`;
  return { name, live, caption, title: `${name}${from}, ends at ${formatSimTime(endOf(branch, nowSecs))}\n${caption}` };
}

function captionOf({ live, author, cause, endSecs }: Branch): string {
  if (live) {
    return 'The world goes on with it';
  }
  const by = author === '' ? '' : ` by ${author}`;
  return `Left at ${formatSimTime(endSecs)}${by}${cause === '' ? '' : `: ${cause}`}`;
}

function barsOf(parts: readonly Span[], gaps: readonly Span[], axis: TimeRange): readonly Bar[] {
  const bar = (kind: Bar['kind'], { fromSecs, toSecs }: Span, title: string): Bar => {
    const left = shareIn(axis, fromSecs);
    return { kind, left, width: Math.max(shareIn(axis, toSecs) - left, 0), title };
  };
  const kept = keptOf(parts, gaps).map((part) => bar('kept', part, ''));
  return [...kept, ...gaps.map((gap) => bar('gap', gap, gapTitle(gap)))];
}

function gapTitle({ fromSecs, toSecs }: Span): string {
  return `${formatSimTime(fromSecs)} to ${formatSimTime(toSecs)} is not kept any more: there was no room for it`;
}

/** Where one stretch ends and the next begins, somebody came back by a jump. */
function jumpsOf({ segments }: Branch, axis: TimeRange): readonly LaneMark[] {
  return segments.slice(1).map(({ fromSecs }) => ({
    kind: 'jump', left: shareIn(axis, fromSecs), atSecs: fromSecs, name: '', title: `The world came back to ${formatSimTime(fromSecs)} and went on from here`,
  }));
}

function flagsOf(bookmarks: readonly Bookmark[], axis: TimeRange): readonly LaneMark[] {
  return bookmarks.map(({ name, author, atSecs }) => ({
    kind: 'bookmark', left: shareIn(axis, atSecs), atSecs, name, title: `${name}, ${formatSimTime(atSecs)}${author === '' ? '' : ` · by ${author}`}`,
  }));
}

function least(spans: readonly Span[], otherwise: number): number {
  return spans.length === 0 ? otherwise : Math.min(...spans.map(({ fromSecs }) => fromSecs));
}
