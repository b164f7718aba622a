/** Why nothing is known of contacts: only the engine of the present world computes them. */
export function noContactsOf(recording: boolean, past: boolean): string | undefined {
  if (recording) {
    return 'not in recordings';
  }
  return past ? 'not kept of the past' : undefined;
}
