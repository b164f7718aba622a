/** What a control says of itself to a mouse that rests on it. */

/** Writes what it does, the key that does the same, and why it cannot be done now. */
export function tooltipOf(label: string, shortcut?: string, reason?: string): string {
  const text = shortcut === undefined || shortcut === '' ? label : `${label} (${shortcut})`;
  return reason === undefined ? text : `${text}\n${reason}`;
}
