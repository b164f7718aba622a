/** Waypoints that were copied, to be put in again, also into the draft of another robot. */
import type { EditBody, TaughtMotion, TaughtPoint } from '../../world/teaching';

export interface Clipboard {
  readonly joints: readonly string[];
  /** Sorted by time; never empty. */
  readonly points: readonly TaughtPoint[];
}

/** How long after the last waypoint something is added when nobody says, in s. */
const AFTER_SECS = 1;

/** Copies waypoints; undefined when there are none of these ids. */
export function copied(motion: TaughtMotion, ids: ReadonlySet<string>): Clipboard | undefined {
  const points = motion.waypoints.filter(({ id }) => ids.has(id));
  return points.length === 0 ? undefined : { joints: motion.joints.map(({ name }) => name), points };
}

/** Says when copies begin: at the cursor, else after the last waypoint. */
export function pasteTime(motion: TaughtMotion, cursorSecs: number | undefined): number {
  const last = motion.waypoints.at(-1);
  return cursorSecs ?? (last === undefined ? 0 : last.time + AFTER_SECS);
}

export function pasteEdit({ joints, points }: Clipboard, at: number): EditBody {
  const waypoint = points.map(({ time, positions, enabled, note, velocities, accelerations }) => ({
    time, enabled, note, position: [...positions], velocity: [...velocities], acceleration: [...accelerations],
  }));
  return { case: 'paste', value: { joint: [...joints], waypoint, at } };
}
