/** Colours of curves. The host gives each its own; these are for curves that it has not met yet. */

/** Apart from one another on dark and on light ground, in the order in which the host takes them. */
const PALETTE = [
  '#5c85e7', '#c26c00', '#1aa58c', '#b53165', '#794fd3', '#14aedb', '#8a5918', '#e579b8', '#5d6e92', '#a5a500',
] as const;

/** Returns the colour of the curve at a place, round and round. */
export function paletteColor(place: number): string {
  return PALETTE[place % PALETTE.length] ?? PALETTE[0];
}

/** Says whether a text is a colour as layouts write them. */
export function isColor(text: string): boolean {
  return /^#[\da-f]{6}$/iu.test(text);
}

/** Returns a colour halfway to grey, so that a curve of another run is seen as kin and as another. */
export function paler(color: string): string {
  if (!isColor(color)) {
    return color;
  }
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `#${parts.map((part) => Math.round((part + 0x9a) / 2).toString(16).padStart(2, '0')).join('')}`;
}
