/** A list of listeners for one kind of event. */
export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => void>();

  /** Adds a listener and returns the function that takes it away. */
  on(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Calls every listener in the order they were added. */
  emit(value: T): void {
    for (const listener of [...this.listeners]) {
      listener(value);
    }
  }
}
