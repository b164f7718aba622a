/** What a world that should go on stands still for. */
import type { WorldStatistics } from '../protocol/generated/retake/msgs/world_pb';

/** Simulated seconds for each real second, below which a world seems to stand to whoever looks. */
const SEEMS_TO_STAND = 0.01;

/**
 * Names what a world waits for that seems to stand although it runs, or has steps to make.
 *
 * Controllers that steps wait for are waited for in every step, most of them too briefly to be told.
 */
export function standsFor(stats: WorldStatistics | undefined): readonly string[] {
  if (stats === undefined || stats.realTimeFactor >= SEEMS_TO_STAND) {
    return [];
  }
  return stats.paused && stats.stepsDue === 0n ? [] : stats.waitsFor;
}
