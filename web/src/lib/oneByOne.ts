/**
 * Sends one wish at a time. Wishes that come while one is under way become a single one, so that
 * whoever drags or holds a key asks for no more than the other side can follow.
 */
export class OneByOne<T> {
  private waiting: { readonly wish: T } | undefined;
  private underWay = false;

  constructor(
    private readonly send: (wish: T) => Promise<unknown>,
    /** Makes one wish of the one that waits and a newer one. */
    private readonly join: (waiting: T, newer: T) => T,
    /** One failed; the one that waited for it is forgotten. */
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Whether nothing is under way. */
  get idle(): boolean {
    return !this.underWay;
  }

  ask(wish: T): void {
    if (this.underWay) {
      this.waiting = { wish: this.waiting === undefined ? wish : this.join(this.waiting.wish, wish) };
    } else {
      void this.start(wish);
    }
  }

  /** Forgets the wish that waits. */
  clear(): void {
    this.waiting = undefined;
  }

  private async start(first: T): Promise<void> {
    this.underWay = true;
    for (let next: { readonly wish: T } | undefined = { wish: first }; next !== undefined; next = this.take()) {
      try {
        await this.send(next.wish);
      } catch (error) {
        this.waiting = undefined;
        this.failed(error);
      }
    }
    this.underWay = false;
  }

  private take(): { readonly wish: T } | undefined {
    const { waiting } = this;
    this.waiting = undefined;
    return waiting;
  }
}
