/** What a plot shows now, out of its layout, its samples and the part of the axes in view. */
import { isColor, paletteColor } from '../../lib/colors';
import type { Frame, Trace } from '../../world/plotFrame';
import { CurveStyle, DEFAULT_WINDOW_SECS, PlotKind, type CurveFacts, type Plot, type PlotAxis, type PlotCurve } from '../../world/plotLayout';
import type { AxisDrawing, CurveDrawing, Drawing } from './backend';
import { extent, extentOfX, roomy } from './traces';
import { sane, type Range } from './view';

/** Opacity of what undo took away. */
const DISCARDED = 0.32;

/** What a person chose to see; absent is as the layout and the values have it. */
export interface ValueView {
  /** Of plots whose x is not the time. */
  readonly x?: Range;
  readonly left?: Range;
  readonly right?: Range;
}

/** A curve as the legend and the table name it. */
export interface CurveLook {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly color: string;
  readonly gone: boolean;
  /** Whether the host has its values, or will have them with the next step. */
  readonly heard: boolean;
}

export interface PlotState {
  readonly plot: Plot;
  readonly looks: ReadonlyMap<string, CurveLook>;
  readonly frame: Frame | undefined;
  /** The times in view; undefined follows the present. */
  readonly time: Range | undefined;
  readonly values: ValueView;
  readonly rightRoom: boolean;
}

/** Names each curve of a plot; `before` counts the curves of the plots above it, for colours. */
export function looksOf(plot: Plot, facts: ReadonlyMap<string, CurveFacts>): ReadonlyMap<string, CurveLook> {
  return new Map(plot.curve.map((curve, place) => [curve.id, lookOf(curve, facts.get(curve.id), place)]));
}

export function drawingOf({ plot, looks, frame, time, values, rightRoom }: PlotState): Drawing {
  const shown = new Map(plot.curve.filter(({ hidden }) => !hidden).map((curve) => [curve.id, curve]));
  const traces = (frame?.traces ?? []).filter(({ curveId }) => shown.has(curveId));
  const x = xRangeOf(plot, frame, traces, time, values.x);
  const within = plot.kind === PlotKind.XY ? undefined : x;
  const axis = (side: 'left' | 'right'): AxisDrawing => {
    const own = traces.filter(({ curveId }) => (shown.get(curveId)?.rightAxis ?? false) === (side === 'right'));
    const range = values[side] ?? roomy(extent(own, within), plot[side]);
    return { ...range, title: axisTitle(plot[side], unitsOn(plot, looks, side)) };
  };
  const hasRight = plot.curve.some(({ rightAxis, hidden }) => rightAxis && !hidden);
  return {
    x: { ...x, title: axisTitle(plot.x, xUnit(plot), xName(plot, looks)) },
    left: axis('left'),
    right: hasRight ? axis('right') : undefined,
    rightRoom: rightRoom || hasRight,
    grid: !plot.hideGrid,
    curves: curveDrawings(traces, shown, looks),
    marks: plot.kind === PlotKind.TIME ? (frame?.jumps ?? []).flatMap(({ fromSecs, toSecs }) => [fromSecs, toSecs]) : [],
  };
}

/** Returns the x of the newest sample that is drawn of the present run; undefined when there is none. */
export function newestOf({ curves }: Pick<Drawing, 'curves'>): number | undefined {
  const last = curves.filter(({ opacity, dashed }) => opacity === 1 && !dashed).flatMap(({ x }) => x.at(-1) ?? []);
  return last.length === 0 ? undefined : Math.max(...last);
}

/** Returns the times that a plot has in view. */
export function timeRangeOf(plot: Plot, frame: Frame | undefined, time: Range | undefined): Range {
  if (time !== undefined) {
    return time;
  }
  if (frame !== undefined) {
    return sane({ min: frame.from, max: frame.to });
  }
  return { min: 0, max: plot.windowSecs > 0 ? plot.windowSecs : DEFAULT_WINDOW_SECS };
}

function xRangeOf(plot: Plot, frame: Frame | undefined, traces: readonly Trace[], time: Range | undefined, chosen: Range | undefined): Range {
  if (plot.kind === PlotKind.TIME) {
    return timeRangeOf(plot, frame, time);
  }
  if (chosen !== undefined) {
    return chosen;
  }
  const fixed = { min: plot.x?.min, max: plot.x?.max };
  const reach = extentOfX(traces);
  // Frequencies begin at zero and end where the sampling rate ends them.
  return plot.kind === PlotKind.SPECTRUM ? sane({ min: fixed.min ?? 0, max: fixed.max ?? reach?.max ?? 1 }) : roomy(reach, fixed);
}

/** Discarded stretches lie below, and later curves above earlier ones. */
function curveDrawings(
  traces: readonly Trace[], shown: ReadonlyMap<string, PlotCurve>, looks: ReadonlyMap<string, CurveLook>,
): readonly CurveDrawing[] {
  const drawn = (discarded: boolean): readonly CurveDrawing[] => traces.filter((trace) => trace.discarded === discarded).flatMap(({ curveId, x, y }) => {
    const curve = shown.get(curveId);
    return curve === undefined ? [] : [{
      x,
      y,
      axis: curve.rightAxis ? 'right' as const : 'left' as const,
      color: looks.get(curveId)?.color ?? paletteColor(0),
      width: curve.width > 0 ? curve.width : 1,
      style: styleOf(curve.style),
      dashed: curve.run !== '',
      opacity: discarded ? DISCARDED : 1,
    }];
  });
  return [...drawn(true), ...drawn(false)];
}

function styleOf(style: CurveStyle): CurveDrawing['style'] {
  switch (style) {
    case CurveStyle.POINTS:
      return 'points';
    case CurveStyle.STEP:
      return 'step';
    case CurveStyle.LINE_POINTS:
      return 'line-points';
    case CurveStyle.LINE:
      return 'line';
    default:
      return 'line'; // Protobuf enums are open: a newer host may know more styles.
  }
}

function lookOf(curve: PlotCurve, facts: CurveFacts | undefined, place: number): CurveLook {
  const color = [curve.color, facts?.color ?? ''].find(isColor) ?? paletteColor(place);
  const label = [curve.label, facts?.label ?? ''].find((text) => text !== '') ?? curve.signal;
  return { id: curve.id, label, unit: facts?.unit ?? '', color, gone: facts?.gone ?? false, heard: facts?.gone === false };
}

/** The unit that all curves of an axis have in common. */
function unitsOn(plot: Plot, looks: ReadonlyMap<string, CurveLook>, side: 'left' | 'right'): string {
  const units = plot.curve
    .filter(({ hidden, rightAxis }) => !hidden && rightAxis === (side === 'right'))
    .map(({ id }) => looks.get(id)?.unit ?? '');
  return new Set(units).size === 1 ? (units[0] ?? '') : '';
}

function xUnit({ kind }: Plot): string {
  return kind === PlotKind.TIME ? 's' : kind === PlotKind.SPECTRUM ? 'Hz' : '';
}

/** What x is when nobody gave it a title. */
function xName({ kind, curve }: Plot, looks: ReadonlyMap<string, CurveLook>): string {
  switch (kind) {
    case PlotKind.TIME:
      return 'Time';
    case PlotKind.SPECTRUM:
      return 'Frequency';
    case PlotKind.XY: {
      const names = new Set(curve.filter(({ hidden }) => !hidden).map(({ xSignal }) => xSignal));
      return names.size === 1 && looks.size > 0 ? ([...names][0] ?? '') : '';
    }
    default:
      return '';
  }
}

function axisTitle(axis: PlotAxis | undefined, unit: string, otherwise = ''): string {
  const title = axis === undefined || axis.title === '' ? otherwise : axis.title;
  return unit === '' ? title : title === '' ? unit : `${title} (${unit})`;
}
