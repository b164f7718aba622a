/** Simulated time as the messages carry it, in seconds. */
import type { Time } from './generated/retake/msgs/geometry_pb';

/** Returns the seconds of a time; none is the beginning. */
export function secsOf(time: Pick<Time, 'sec' | 'nsec'> | undefined): number {
  return time === undefined ? 0 : Number(time.sec) + time.nsec / 1e9;
}
