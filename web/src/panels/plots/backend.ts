/**
 * What a plot needs of a library that draws: axes, curves and marks on a piece of the page. Nothing
 * else knows which library that is.
 */
import type { Area, Range } from './view';

export interface AxisDrawing extends Range {
  readonly title: string;
}

export interface CurveDrawing {
  readonly x: Float64Array;
  /** As many as x; what is not finite is a gap. */
  readonly y: Float64Array;
  readonly axis: 'left' | 'right';
  readonly color: string;
  /** In pixels of the page. */
  readonly width: number;
  readonly style: 'line' | 'points' | 'step' | 'line-points';
  readonly dashed: boolean;
  /** From 0 to 1. */
  readonly opacity: number;
}

/** All that is to be seen of a plot. */
export interface Drawing {
  readonly x: AxisDrawing;
  readonly left: AxisDrawing;
  /** Absent when no curve belongs to it. */
  readonly right: AxisDrawing | undefined;
  /** Whether the right axis gets its room although this plot has none, to be as wide as others. */
  readonly rightRoom: boolean;
  readonly grid: boolean;
  /** What comes later lies above. */
  readonly curves: readonly CurveDrawing[];
  /** Places along x at which time jumped. */
  readonly marks: readonly number[];
}

export interface PlotBackend {
  /** Where the curves are drawn. */
  readonly area: Area;
  draw(drawing: Drawing): void;
  resize(width: number, height: number): void;
  /** Takes the colours of the page anew, as after a change of its theme. */
  restyle(): void;
  dispose(): void;
}
