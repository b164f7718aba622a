/** What the page remembers of its looks between visits. It works without, as in a private window. */

/** Reads a remembered text. */
export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(`retake.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a text. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`retake.${key}`, value);
  } catch {
    // The browser keeps nothing for this page; the choice lasts until the reload.
  }
}
