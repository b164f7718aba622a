/**
 * What the host tells, with what the server has just agreed to laid over it: the host answers at once,
 * and what it tells may have been made before that.
 */

/** What says otherwise for longer is true: somebody else wanted something else. */
export const PATIENCE_MS = 1_000;

export class Agreed<T extends object> {
  private told: T | undefined;
  private changes: Partial<T> = {};
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly show: (value: T) => void) {}

  /** Takes what the host tells. */
  use(told: T): void {
    this.told = told;
    this.changes = missingIn(told, this.changes);
    this.show({ ...told, ...this.changes });
  }

  /** Takes what the server has agreed to. */
  agree(changes: Partial<T>): void {
    if (this.told === undefined) {
      return; // Nothing is shown that could be out of date.
    }
    this.changes = missingIn(this.told, { ...this.changes, ...changes });
    this.show({ ...this.told, ...this.changes });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.changes = {};
      if (this.told !== undefined) {
        this.show(this.told);
      }
    }, PATIENCE_MS);
  }

  /** Forgets everything, as when the connection begins anew. */
  clear(): void {
    clearTimeout(this.timer);
    this.told = undefined;
    this.changes = {};
  }
}

/** Returns the changes that what is told does not show. */
function missingIn<T extends object>(told: T, changes: Partial<T>): Partial<T> {
  const known = new Map<string, unknown>(Object.entries(told));
  const missing = Object.entries(changes).filter(([name, value]) => value !== undefined && known.get(name) !== value);
  return Object.fromEntries(missing) as Partial<T>;
}
