/** Turns samples into strokes of a pen. Gaps lift it. */

/** What is needed of a canvas or a path. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/** Brings a number to its pixel. */
export interface Scale {
  readonly offset: number;
  readonly factor: number;
}

/** Draws lines from sample to sample; a lone one becomes a dot, a pixel long. */
export function strokeLine(pen: Pen, xs: Float64Array, ys: Float64Array, x: Scale, y: Scale): void {
  let down = false;
  let lone = false;
  let px = 0;
  let py = 0;
  for (let i = 0; i < xs.length; i += 1) {
    const nextX = x.offset + (xs[i] ?? Number.NaN) * x.factor;
    const nextY = y.offset + (ys[i] ?? Number.NaN) * y.factor;
    if (!Number.isFinite(nextY) || !Number.isFinite(nextX)) {
      if (lone) {
        pen.lineTo(px + 1, py);
      }
      down = false;
      lone = false;
      continue;
    }
    if (down) {
      pen.lineTo(nextX, nextY);
    } else {
      pen.moveTo(nextX, nextY);
    }
    lone = !down;
    down = true;
    px = nextX;
    py = nextY;
  }
  if (lone) {
    pen.lineTo(px + 1, py);
  }
}

/** Draws lines that keep each value until the next sample. */
export function strokeSteps(pen: Pen, xs: Float64Array, ys: Float64Array, x: Scale, y: Scale): void {
  let down = false;
  let py = 0;
  for (let i = 0; i < xs.length; i += 1) {
    const nextX = x.offset + (xs[i] ?? Number.NaN) * x.factor;
    const nextY = y.offset + (ys[i] ?? Number.NaN) * y.factor;
    const gap = !Number.isFinite(nextY) || !Number.isFinite(nextX);
    if (down && Number.isFinite(nextX)) {
      pen.lineTo(nextX, py);
    }
    if (gap) {
      down = false;
      continue;
    }
    if (down) {
      pen.lineTo(nextX, nextY);
    } else {
      pen.moveTo(nextX, nextY);
    }
    down = true;
    py = nextY;
  }
}

/** Calls back with the pixel of each sample that has a value. */
export function eachPoint(xs: Float64Array, ys: Float64Array, x: Scale, y: Scale, point: (x: number, y: number) => void): void {
  for (let i = 0; i < xs.length; i += 1) {
    const px = x.offset + (xs[i] ?? Number.NaN) * x.factor;
    const py = y.offset + (ys[i] ?? Number.NaN) * y.factor;
    if (Number.isFinite(px) && Number.isFinite(py)) {
      point(px, py);
    }
  }
}
