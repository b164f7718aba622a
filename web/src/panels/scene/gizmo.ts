/** The little axes in the corner: where x, y and z point on the screen. */

export interface Axis {
  readonly name: 'X' | 'Y' | 'Z';
  readonly x: number;
  readonly y: number;
  /** Towards the viewer is positive. */
  readonly depth: number;
}

/** Reads the axes out of a view matrix (column-major 4×4), farthest first for drawing. */
export function axesOf(viewMatrix: readonly number[]): readonly Axis[] {
  const axis = (name: Axis['name'], column: number): Axis => ({
    name,
    x: viewMatrix[column * 4] ?? 0,
    y: -(viewMatrix[column * 4 + 1] ?? 0),
    depth: viewMatrix[column * 4 + 2] ?? 0,
  });
  return [axis('X', 0), axis('Y', 1), axis('Z', 2)].sort((a, b) => a.depth - b.depth);
}
