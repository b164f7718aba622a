/** Work that is done at a pace that people can follow, and always once more after the last reason for it. */
export class Paced {
  private last = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly periodMs: number,
    private readonly work: () => void,
  ) {}

  /** There is a reason: does the work now, or as soon as the pace allows. */
  due(): void {
    const waitMs = this.last + this.periodMs - performance.now();
    if (waitMs <= 0) {
      this.run();
    } else {
      this.timer ??= setTimeout(() => { this.run(); }, waitMs);
    }
  }

  /** Forgets work that waits. */
  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private run(): void {
    this.dispose();
    this.last = performance.now();
    this.work();
  }
}
