/**
 * Whether the world runs and how fast, also while its statistics do not show yet what the server has
 * just agreed to: the host answers at once, and statistics that were made before may come after.
 */
import type { WorldStatistics } from '../protocol/generated/retake/msgs/world_pb';

type Control = Pick<WorldStatistics, 'paused' | 'targetRealTimeFactor'>;

/** Statistics that say otherwise for longer are true: somebody else wanted something else. */
export const PATIENCE_MS = 1_000;

export class AgreedControl {
  private told: WorldStatistics | undefined;
  private agreed: Partial<Control> = {};
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly show: (stats: WorldStatistics) => void) {}

  /** Takes what the host tells. */
  use(stats: WorldStatistics): void {
    this.told = stats;
    this.agreed = missingIn(stats, this.agreed);
    this.show({ ...stats, ...this.agreed });
  }

  /** Takes what the server has agreed to. */
  agree(change: Partial<Control>): void {
    if (this.told === undefined) {
      return; // Nothing is shown that could be out of date.
    }
    this.agreed = missingIn(this.told, { ...this.agreed, ...change });
    this.show({ ...this.told, ...this.agreed });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.agreed = {};
      if (this.told !== undefined) {
        this.show(this.told);
      }
    }, PATIENCE_MS);
  }

  /** Forgets everything, as when the connection begins anew. */
  clear(): void {
    clearTimeout(this.timer);
    this.told = undefined;
    this.agreed = {};
  }
}

/** Returns the part of what was agreed to that statistics do not show. */
function missingIn(told: Control, { paused, targetRealTimeFactor }: Partial<Control>): Partial<Control> {
  return {
    ...(paused === undefined || paused === told.paused ? {} : { paused }),
    ...(targetRealTimeFactor === undefined || targetRealTimeFactor === told.targetRealTimeFactor ? {} : { targetRealTimeFactor }),
  };
}
