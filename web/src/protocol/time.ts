/** Simulated time as the messages carry it, in seconds. */
import type { Time } from './generated/retake/msgs/geometry_pb';

/** Returns the seconds of a time; none is the beginning. */
export function secsOf(time: Pick<Time, 'sec' | 'nsec'> | undefined): number {
  return time === undefined ? 0 : Number(time.sec) + time.nsec / 1e9;
}

/** Returns the time of some seconds, to the nearest nanosecond. */
export function timeOf(secs: number): { readonly sec: bigint; readonly nsec: number } {
  const whole = Math.floor(secs);
  const nsec = Math.round((secs - whole) * 1e9);
  return nsec === 1e9 ? { sec: BigInt(whole + 1), nsec: 0 } : { sec: BigInt(whole), nsec };
}
