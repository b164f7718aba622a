/** What the dialogs of plots and curves ask for: texts as they are typed, and back. */
import { isColor } from '../../lib/colors';
import { parseQuantity } from '../../lib/quantity';
import { CurveStyle, newAxis, PlotKind, type Plot, type PlotAxis, type PlotCurve } from '../../world/plotLayout';
import { asKind } from './edits';

export interface AxisForm {
  readonly title: string;
  /** Empty follows the values. */
  readonly min: string;
  readonly max: string;
}

export interface PlotForm {
  readonly title: string;
  readonly kind: PlotKind;
  readonly x: AxisForm;
  readonly left: AxisForm;
  readonly right: AxisForm;
  readonly windowSecs: string;
  /** Empty takes each step. */
  readonly rateHz: string;
  readonly bufferSamples: string;
  readonly bufferSecs: string;
  readonly legend: boolean;
  readonly grid: boolean;
  readonly ownTimeAxis: boolean;
}

export interface CurveForm {
  readonly label: string;
  readonly signal: string;
  readonly xSignal: string;
  readonly color: string;
  readonly width: string;
  readonly style: CurveStyle;
  readonly rightAxis: boolean;
}

/** What was read, or why it cannot be. */
export type Read<T> = { readonly value: T } | { readonly problem: string };

export const KINDS: readonly { readonly kind: PlotKind; readonly label: string }[] = [
  { kind: PlotKind.TIME, label: 'Over time' },
  { kind: PlotKind.XY, label: 'XY: over another signal' },
  { kind: PlotKind.SPECTRUM, label: 'Spectrum of what is in view' },
];

export const STYLES: readonly { readonly style: CurveStyle; readonly label: string }[] = [
  { style: CurveStyle.LINE, label: 'Line' },
  { style: CurveStyle.POINTS, label: 'Points' },
  { style: CurveStyle.STEP, label: 'Steps' },
  { style: CurveStyle.LINE_POINTS, label: 'Line and points' },
];

export function plotFormOf(plot: Plot): PlotForm {
  return {
    title: plot.title,
    kind: plot.kind,
    x: axisFormOf(plot.x),
    left: axisFormOf(plot.left),
    right: axisFormOf(plot.right),
    windowSecs: textOf(plot.windowSecs),
    rateHz: textOf(plot.rateHz),
    bufferSamples: textOf(Number(plot.bufferSamples)),
    bufferSecs: textOf(plot.bufferSecs),
    legend: !plot.hideLegend,
    grid: !plot.hideGrid,
    ownTimeAxis: plot.ownTimeAxis,
  };
}

export function plotFrom(form: PlotForm, plot: Plot): Read<Plot> {
  const reader = new Reader();
  const changed: Plot = {
    ...asKind(plot, form.kind),
    title: form.title.trim(),
    x: reader.axis('The x axis', form.x),
    left: reader.axis('The left axis', form.left),
    right: reader.axis('The right axis', form.right),
    windowSecs: reader.positive('Seconds shown', form.windowSecs, 's'),
    rateHz: reader.positive('Samples per second', form.rateHz, 'Hz'),
    bufferSamples: BigInt(Math.round(reader.positive('Most samples', form.bufferSamples, ''))),
    bufferSecs: reader.positive('Most seconds', form.bufferSecs, 's'),
    hideLegend: !form.legend,
    hideGrid: !form.grid,
    ownTimeAxis: form.ownTimeAxis,
  };
  return reader.result(changed);
}

export function curveFormOf(curve: PlotCurve, color: string): CurveForm {
  const { label, signal, xSignal, width, style, rightAxis } = curve;
  return { label, signal, xSignal, color, width: textOf(width), style, rightAxis };
}

export function curveFrom(form: CurveForm, curve: PlotCurve): Read<PlotCurve> {
  const reader = new Reader();
  const width = reader.positive('Width', form.width, '');
  if (width > 20) {
    reader.note('Width is at most 20 pixels');
  }
  if (form.signal.trim() === '') {
    reader.note('A curve needs a signal. Type its name as the tree shows it');
  }
  // A colour that nobody chose stays open, so that the host can give another.
  const color = isColor(form.color) ? form.color : curve.color;
  return reader.result({
    ...curve,
    label: form.label.trim(),
    signal: form.signal.trim(),
    xSignal: form.xSignal.trim(),
    color,
    width,
    style: form.style,
    rightAxis: form.rightAxis,
  });
}

/** Reads a text as a number of seconds, which may be negative; empty is none. */
export function secondsFrom(text: string): Read<number> {
  const value = text.trim() === '' ? 0 : parseQuantity(text, 's');
  return value === undefined || !Number.isFinite(value) ? { problem: `“${text}” is no number of seconds` } : { value };
}

/** Reads numbers and keeps the first thing that is wrong. */
class Reader {
  private problem: string | undefined;

  note(problem: string): void {
    this.problem ??= problem;
  }

  result<T>(value: T): Read<T> {
    return this.problem === undefined ? { value } : { problem: this.problem };
  }

  /** Zero stands for nothing typed. */
  positive(name: string, text: string, unit: string): number {
    const value = this.optional(name, text, unit) ?? 0;
    if (value < 0) {
      this.note(`${name} cannot be negative`);
    }
    return Math.max(0, value);
  }

  axis(name: string, { title, min, max }: AxisForm): PlotAxis {
    const low = this.optional(`Least value of ${lower(name)}`, min, '');
    const high = this.optional(`Greatest value of ${lower(name)}`, max, '');
    if (low !== undefined && high !== undefined && low >= high) {
      this.note(`${name} must begin below its end: ${min} is not below ${max}`);
    }
    return newAxis({ title: title.trim(), ...(low === undefined ? {} : { min: low }), ...(high === undefined ? {} : { max: high }) });
  }

  private optional(name: string, text: string, unit: string): number | undefined {
    if (text.trim() === '') {
      return undefined;
    }
    const value = parseQuantity(text, unit);
    if (value === undefined || !Number.isFinite(value)) {
      this.note(`${name} takes a number, or nothing: “${text}” is neither`);
      return undefined;
    }
    return value;
  }
}

function axisFormOf(axis: PlotAxis | undefined): AxisForm {
  return { title: axis?.title ?? '', min: axis?.min === undefined ? '' : String(axis.min), max: axis?.max === undefined ? '' : String(axis.max) };
}

function textOf(value: number): string {
  return value === 0 ? '' : String(value);
}

function lower(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
