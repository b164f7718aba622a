/** What a person is typing, apart from the value that it is about to become. */
export class Draft<T> {
  /** Undefined while nobody types: the input then shows the value. */
  text: string | undefined = $state();
  /** The value when the typing began. */
  base: T | undefined = $state.raw();

  /** Whether a person has typed something that is not sent yet. */
  get dirty(): boolean {
    return this.text !== undefined;
  }

  type(text: string, value: T): void {
    if (this.text === undefined) {
      this.base = value;
    }
    this.text = text;
  }

  /** Ends the typing and returns what was typed. */
  take(): string | undefined {
    const { text } = this;
    this.text = undefined;
    this.base = undefined;
    return text;
  }
}

/** Selects all of an input, so that the first key replaces it; for one with the focus alone. */
export function selectAll(input: HTMLInputElement): void {
  if (document.activeElement === input) {
    input.select();
  }
}
