/** When to try again after a lost connection. */
const FIRST_MS = 300;
const LONGEST_MS = 5_000;

/**
 * Returns how long to wait before attempt number `attempt` (from 0), in milliseconds.
 *
 * `spread` from 0 to 1 keeps many pages from coming back in the same instant.
 */
export function retryDelayMs(attempt: number, spread: number): number {
  const grown = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  return grown * (0.75 + 0.25 * spread);
}
