/**
 * What a drag does to a draft. A move is one number, from where it began to where it is wanted;
 * edits tell the host of each step of it, under one name, so that it is undone as one.
 */
import { assertNever } from '../../../lib/assert';
import { wireId, type EditBody, type TaughtAction, type TaughtJoint, type TaughtMotion, type TaughtPoint } from '../../../world/teaching';
import { leewayOf, within, type Leeway } from './keys';
import { rounded, snapped } from './scale';

export type Move =
  | {
      readonly kind: 'keys';
      readonly ids: readonly string[];
      /** When the key in hand was, in s. */
      readonly grabbedSecs: number;
      readonly leeway: Leeway;
    }
  | { readonly kind: 'action'; readonly action: TaughtAction }
  | { readonly kind: 'position'; readonly id: string; readonly joint: TaughtJoint; readonly from: number };

/** Begins to move waypoints, one of which is in hand. */
export function keysMove(points: readonly TaughtPoint[], ids: ReadonlySet<string>, grabbed: TaughtPoint): Move {
  const known = points.filter(({ id }) => ids.has(id)).map(({ id }) => id);
  return { kind: 'keys', ids: known, grabbedSecs: grabbed.time, leeway: leewayOf(points, ids) };
}

/** The number of a move that changes nothing: seconds moved, a time, or a position. */
export function restOf(move: Move): number {
  switch (move.kind) {
    case 'keys':
      return 0;
    case 'action':
      return move.action.time;
    case 'position':
      return move.from;
    default:
      return assertNever(move);
  }
}

/** Says where a move is when a pointer went on by seconds; `free` does not round. */
export function movedInTime(move: Exclude<Move, { kind: 'position' }>, bySecs: number, free: boolean): number {
  if (move.kind === 'keys') {
    return within(move.leeway, snapped(move.grabbedSecs + bySecs, free) - move.grabbedSecs);
  }
  return Math.max(0, snapped(move.action.time + bySecs, free));
}

/** Says where a key on a curve is; without `free` it keeps to the limits and to round numbers. */
export function movedInValue({ joint }: Extract<Move, { kind: 'position' }>, value: number, step: number, free: boolean): number {
  if (free) {
    return value;
  }
  return joint.continuous ? rounded(value, step) : Math.min(Math.max(rounded(value, step), joint.lower), joint.upper);
}

/** The edit that takes a move from one number to another. */
export function editBetween(move: Move, from: number, to: number): EditBody {
  switch (move.kind) {
    case 'keys':
      return keysEdit(move.ids, move.grabbedSecs, from, to);
    case 'action':
      return actionEdit({ ...move.action, time: to });
    case 'position':
      return { case: 'position', value: { id: wireId(move.id), joint: move.joint.name, position: to } };
    default:
      return assertNever(move);
  }
}

/** The edit that moves waypoints by seconds. */
export function nudgeEdit(points: readonly TaughtPoint[], ids: ReadonlySet<string>, bySecs: number): EditBody | undefined {
  const known = points.filter(({ id }) => ids.has(id)).map(({ id }) => id);
  const by = within(leewayOf(points, ids), bySecs);
  return known.length === 0 || by === 0 ? undefined : { case: 'moveWaypoints', value: { id: known.map(wireId), by } };
}

export function actionEdit({ id, time, type, command, options }: TaughtAction): EditBody {
  return { case: 'setAction', value: { id: wireId(id), time, command: { type, command, options } } };
}

function keysEdit(ids: readonly string[], grabbedSecs: number, from: number, to: number): EditBody {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) {
    return { case: 'time', value: { id: wireId(only), time: undusted(grabbedSecs + to) } };
  }
  return { case: 'moveWaypoints', value: { id: ids.map(wireId), by: undusted(to - from) } };
}

/** Takes off what sums of binary fractions leave behind. */
function undusted(secs: number): number {
  return Number(secs.toFixed(9));
}

/** The host is told of a drag this often at most, in ms. */
const PAUSE_MS = 60;

/** Tells the host of a move while it goes on. */
export class Mover {
  private sent: number;
  private wanted: number;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly move: Move,
    private readonly stroke: string,
    private readonly send: (edit: EditBody, stroke: string) => void,
  ) {
    this.sent = restOf(move);
    this.wanted = this.sent;
  }

  /** Where the move is now. */
  get at(): number {
    return this.wanted;
  }

  to(wanted: number): void {
    this.wanted = wanted;
    if (this.timer === undefined) {
      this.flushAndPause();
    }
  }

  /** Ends the move where it is. */
  finish(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flush();
  }

  /** Ends the move where it began. */
  cancel(): void {
    this.wanted = restOf(this.move);
    this.finish();
  }

  private flushAndPause(): void {
    this.timer = undefined;
    if (this.wanted !== this.sent) {
      this.flush();
      this.timer = setTimeout(() => {
        this.flushAndPause();
      }, PAUSE_MS);
    }
  }

  private flush(): void {
    if (this.wanted !== this.sent) {
      this.send(editBetween(this.move, this.sent, this.wanted), this.stroke);
      this.sent = this.wanted;
    }
  }
}

/** A move that is shown although the host may not have told it yet. */
export interface ShownMove {
  readonly move: Move;
  /** Where it is. */
  readonly at: number;
  /** The motion when it began. */
  readonly began: TaughtMotion;
}

/** Returns the motion as it is with a move. */
export function motionWith(motion: TaughtMotion, { move, at, began }: ShownMove): TaughtMotion {
  switch (move.kind) {
    case 'keys': {
      const times = new Map(began.waypoints.filter(({ id }) => move.ids.includes(id)).map(({ id, time }) => [id, time + at]));
      return { ...motion, waypoints: motion.waypoints.map((point) => ({ ...point, time: times.get(point.id) ?? point.time })) };
    }
    case 'action':
      return { ...motion, actions: motion.actions.map((action) => (action.id === move.action.id ? { ...action, time: at } : action)) };
    case 'position': {
      const place = motion.joints.findIndex(({ name }) => name === move.joint.name);
      const put = (point: TaughtPoint): TaughtPoint =>
        point.id === move.id && place in point.positions ? { ...point, positions: point.positions.with(place, at) } : point;
      return { ...motion, waypoints: motion.waypoints.map(put) };
    }
    default:
      return assertNever(move);
  }
}

/** Says whether a motion is as a move wants it already. */
export function agrees(motion: TaughtMotion, shown: ShownMove): boolean {
  const wanted = motionWith(motion, shown);
  const near = (a: number | undefined, b: number | undefined): boolean => a === b || Math.abs((a ?? 0) - (b ?? 0)) < 1e-6;
  return wanted.waypoints.every(({ time, positions }, place) => {
    const is = motion.waypoints[place];
    return near(is?.time, time) && positions.every((position, joint) => near(is?.positions[joint], position));
  }) && wanted.actions.every(({ time }, place) => near(motion.actions[place]?.time, time));
}
