/** Names what belongs together, so that it is undone together. */
import { uuidV7 } from '../lib/uuid';

/** Presses of a key that follow one another faster than this are one gesture. */
const PAUSE_MS = 1000;

export class Gesture {
  private id: string | undefined;
  private lastMs = Number.NEGATIVE_INFINITY;

  /** Returns the id of a gesture that lasts until [`end`]. */
  held(): string {
    this.id ??= uuidV7();
    return this.id;
  }

  /** Returns the id of a gesture that lasts as long as its parts follow one another. */
  repeated(nowMs: number): string {
    if (nowMs - this.lastMs > PAUSE_MS) {
      this.end();
    }
    this.lastMs = nowMs;
    return this.held();
  }

  end(): void {
    this.id = undefined;
    this.lastMs = Number.NEGATIVE_INFINITY;
  }
}
