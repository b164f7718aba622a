/** A colour for each person, the same on every page and after every reload. */

/** Apart from one another, and seen on dark and on light ground. */
const COLORS = [
  '#e0823d', '#2fa8a0', '#b569d4', '#d4577f', '#6aa83a', '#4f8fe0',
  '#c9a227', '#8b7be8', '#3fae6b', '#d96459', '#c061b0', '#5aa0b8',
] as const;

/** Returns the colour of an author, as CSS writes it. */
export function authorColor(name: string): string {
  // As FNV-1a does; with this start, the names that pages have most often differ in colour.
  let hash = 82;
  for (const sign of name) {
    hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return COLORS[((hash ^ (hash >>> 15)) >>> 0) % COLORS.length] ?? COLORS[0];
}
