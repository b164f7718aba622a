/** Tells the jumps that this page asked for from those of others. */
import type { TimeJump } from '../world/timeJump';

/** More of them are not told from others': nobody has so many under way. */
const MOST_EXPECTED = 16;

/**
 * What this page has asked for and has not seen yet.
 *
 * The author alone is not enough: what the same page asked for before a reload is not its own any
 * more.
 */
export class OwnJumps {
  /** What the host calls this page. */
  name = '';
  private expected: string[] = [];

  /** A jump of this cause was asked for. */
  expect(cause: string): void {
    this.expected = [...this.expected, cause].slice(-MOST_EXPECTED);
  }

  /** A jump that was asked for does not come. */
  forget(cause: string): void {
    const at = this.expected.indexOf(cause);
    this.expected = this.expected.filter((_, index) => index !== at);
  }

  /** Says whether a jump is one of those asked for, and counts it off. */
  claim({ author, cause }: Pick<TimeJump, 'author' | 'cause'>): boolean {
    const own = author === this.name && this.expected.includes(cause);
    if (own) {
      this.forget(cause);
    }
    return own;
  }
}
