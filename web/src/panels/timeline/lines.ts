/** Lines through the tree of branches: what leads to the end of each, and what of it is kept. */
import type { Branch, Segment, Span, Timeline } from '../../world/timeline';

/** A part of a line, with the branch that shows it. */
export interface Part extends Segment {
  readonly branch: string;
}

/** All that leads to the end of a branch. */
export interface Line {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly gaps: readonly Span[];
  readonly fromSecs: number;
  readonly toSecs: number;
}

/** Returns when a branch ends: the one that goes on, now. */
export function endOf({ live, endSecs }: Branch, nowSecs: number): number {
  return live ? Math.max(nowSecs, endSecs) : endSecs;
}

/** Returns a branch's own parts; that of the live one reaches up to now. */
export function ownParts(branch: Branch, nowSecs: number): readonly Part[] {
  const last = branch.segments.length - 1;
  return branch.segments.map((segment, index) => ({
    ...segment,
    branch: branch.name,
    toSecs: index === last ? Math.max(endOf(branch, nowSecs), segment.fromSecs) : segment.toSecs,
  }));
}

/** Returns the line that leads to the end of a branch; undefined when there is no such branch. */
export function lineOf({ branches }: Timeline, name: string, nowSecs: number): Line | undefined {
  const parts: Part[] = [];
  const gaps: Span[] = [];
  let untilSecs = Infinity;
  let next: string | undefined = name;
  // Each branch is passed once, whatever the server says.
  const passed = new Set<string>();
  while (next !== undefined && !passed.has(next)) {
    passed.add(next);
    const branch: Branch | undefined = branches.find((other) => other.name === next);
    if (branch === undefined) {
      break;
    }
    const until = untilSecs;
    parts.unshift(...cut(ownParts(branch, nowSecs), until));
    gaps.unshift(...cut(branch.gaps, until));
    untilSecs = branch.fork?.atSecs ?? until;
    next = branch.fork?.of;
  }
  const [first, last] = [parts[0], parts.at(-1)];
  return first === undefined || last === undefined ? undefined : { name, parts, gaps, fromSecs: first.fromSecs, toSecs: last.toSecs };
}

/** Returns when two lines part: up to then they are the same. */
export function partingSecs(one: Line, other: Line): number {
  let sameSecs = Math.max(one.fromSecs, other.fromSecs);
  for (const [index, part] of one.parts.entries()) {
    const beside = other.parts[index];
    if (beside?.epoch !== part.epoch) {
      break;
    }
    sameSecs = Math.min(part.toSecs, beside.toSecs);
  }
  return sameSecs;
}

/** Returns the nearest time of a line that can be shown. */
export function nearestKept({ fromSecs, toSecs, gaps }: Line, secs: number): number {
  const inside = Math.min(Math.max(secs, fromSecs), toSecs);
  const gap = gaps.find((other) => other.fromSecs <= inside && inside < other.toSecs);
  return gap?.toSecs ?? inside;
}

/** Returns what of some parts is kept. */
export function keptOf<S extends Span>(parts: readonly S[], gaps: readonly Span[]): readonly S[] {
  return parts.flatMap((part) => {
    const gap = gaps.find((other) => other.fromSecs <= part.fromSecs && other.toSecs > part.fromSecs);
    const fromSecs = gap?.toSecs ?? part.fromSecs;
    return fromSecs > part.toSecs || (gap !== undefined && fromSecs === part.toSecs) ? [] : [{ ...part, fromSecs }];
  });
}

function cut<S extends Span>(spans: readonly S[], untilSecs: number): readonly S[] {
  return spans.filter(({ fromSecs }) => fromSecs <= untilSecs).map((span) => ({ ...span, toSecs: Math.min(span.toSecs, untilSecs) }));
}
