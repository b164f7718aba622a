/** The part of the rows that is on screen, with a few more on both sides. */
export function rowWindow(count: number, scrollTop: number, height: number, rowHeight: number): readonly [number, number] {
  const margin = 8;
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
  const last = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + margin);
  return [Math.min(first, last), last];
}
