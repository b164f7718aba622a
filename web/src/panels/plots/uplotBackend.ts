/**
 * Draws with uPlot: it does axes, ticks and grid. The curves are drawn here, because uPlot wants one
 * x for all of them, and curves that are thinned each for itself have none in common: joining a
 * hundred would make a table of ten million mostly empty cells for each frame.
 */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import type { AxisDrawing, CurveDrawing, Drawing, PlotBackend } from './backend';
import { tickTexts } from './numbers';
import { eachPoint, strokeLine, strokeSteps, type Scale } from './strokes';
import type { Area } from './view';

/** Widths of the axes in pixels; fixed, so that plots above one another begin at the same place. */
const Y_SIZE = 54;
const TITLE_SIZE = 17;
const X_SIZE = 22;
const EDGE = 12;
/** Height below which a plot does without what can be missed. */
const LOW = 130;

/** Sides of the plot as uPlot counts them: right, below, left. */
type Side = 1 | 2 | 3;

const FONT = '11px Inter, "Segoe UI", system-ui, "Noto Sans", "Liberation Sans", sans-serif';
const DASH = [6, 4];

interface Colors {
  readonly text: string;
  readonly line: string;
  readonly grid: string;
  readonly mark: string;
}

const NOTHING: Drawing = {
  x: { min: 0, max: 1, title: '' },
  left: { min: 0, max: 1, title: '' },
  right: undefined,
  rightRoom: false,
  grid: true,
  curves: [],
  marks: [],
};

export class UplotBackend implements PlotBackend {
  private drawing = NOTHING;
  private colors: Colors;
  private readonly chart: uPlot;

  constructor(private readonly frame: HTMLElement) {
    this.colors = colorsOf(frame);
    this.chart = new uPlot(this.options(), [[]], frame);
  }

  get area(): Area {
    const { left, top, width, height } = this.chart.bbox;
    const ratio = uPlot.pxRatio;
    return { left: left / ratio, top: top / ratio, width: width / ratio, height: height / ratio };
  }

  draw(drawing: Drawing): void {
    this.drawing = drawing;
    const [, , right] = this.chart.axes;
    if (right !== undefined) {
      right.labelSize = drawing.rightRoom ? TITLE_SIZE : 0;
    }
    // Drawn at once, so that what lies over the plot moves in the same frame.
    this.chart.batch(() => {
      this.chart.redraw(true, true);
    });
  }

  resize(width: number, height: number): void {
    const [below] = this.chart.axes;
    if (below !== undefined) {
      // In little height the curves need the room more than the title does. uPlot looks at this
      // only when its size changes.
      below.labelSize = height < LOW ? 0 : TITLE_SIZE;
      below.label = height < LOW ? '' : () => this.drawing.x.title;
    }
    this.chart.setSize({ width, height });
  }

  restyle(): void {
    this.colors = colorsOf(this.frame);
    this.draw(this.drawing);
  }

  dispose(): void {
    this.chart.destroy();
  }

  private options(): uPlot.Options {
    const { clientWidth: width, clientHeight: height } = this.frame;
    return {
      width,
      height,
      padding: [8, 0, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      series: [{}],
      scales: {
        x: { time: false, range: () => limits(this.drawing.x) },
        left: { range: () => limits(this.drawing.left) },
        right: { range: () => limits(this.drawing.right ?? NOTHING.left) },
      },
      axes: [
        this.axis('x', 2, () => this.drawing.x, X_SIZE),
        this.axis('left', 3, () => this.drawing.left, Y_SIZE),
        { ...this.axis('right', 1, () => this.drawing.right, Y_SIZE), size: () => (this.drawing.rightRoom ? Y_SIZE : EDGE) },
      ],
      hooks: { draw: [() => { this.drawCurves(); }] },
    };
  }

  private axis(scale: string, side: Side, of: () => AxisDrawing | undefined, size: number): uPlot.Axis {
    const isRight = side === 1;
    const line = (): string => (of() === undefined ? 'transparent' : this.colors.line);
    return {
      scale,
      // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the enum exists in types alone
      side,
      size,
      font: FONT,
      labelFont: FONT,
      label: () => of()?.title ?? '',
      labelSize: isRight ? 0 : TITLE_SIZE,
      labelGap: 2,
      gap: 4,
      space: side === 2 ? 70 : 34,
      stroke: () => this.colors.text,
      values: (_chart, splits, _axis, _space, step) => (of() === undefined ? splits.map(() => '') : [...tickTexts(splits, step)]),
      border: { show: true, width: 1, stroke: line },
      ticks: { show: true, size: 4, width: 1, stroke: line },
      grid: { show: !isRight, width: 1, stroke: () => (this.drawing.grid ? this.colors.grid : 'transparent') },
    };
  }

  private drawCurves(): void {
    const { ctx, bbox } = this.chart;
    const { curves, marks } = this.drawing;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const curve of curves) {
      this.drawCurve(ctx, curve);
    }
    this.drawMarks(ctx, marks);
    ctx.restore();
  }

  private drawCurve(ctx: CanvasRenderingContext2D, { x: xs, y: ys, axis, ...curve }: CurveDrawing): void {
    const ratio = uPlot.pxRatio;
    const x = this.scaleX();
    const y = this.scaleY(axis === 'right' ? (this.drawing.right ?? this.drawing.left) : this.drawing.left);
    ctx.globalAlpha = curve.opacity;
    ctx.strokeStyle = curve.color;
    ctx.fillStyle = curve.color;
    ctx.lineWidth = curve.width * ratio;
    // Round ends and joints take up to twice as long, and are not seen on thin lines.
    ctx.lineJoin = curve.width > 2 ? 'round' : 'bevel';
    ctx.lineCap = 'butt';
    ctx.setLineDash(curve.dashed ? DASH.map((length) => length * ratio) : []);
    if (curve.style !== 'points') {
      ctx.beginPath();
      (curve.style === 'step' ? strokeSteps : strokeLine)(ctx, xs, ys, x, y);
      ctx.stroke();
    }
    if (curve.style === 'points' || curve.style === 'line-points') {
      const size = Math.max(3, curve.width * 2 + 1) * ratio;
      eachPoint(xs, ys, x, y, (px, py) => {
        ctx.fillRect(px - size / 2, py - size / 2, size, size);
      });
    }
  }

  /** A thin dotted line at each jump of the time. */
  private drawMarks(ctx: CanvasRenderingContext2D, marks: readonly number[]): void {
    const ratio = uPlot.pxRatio;
    const { top, height } = this.chart.bbox;
    const x = this.scaleX();
    ctx.globalAlpha = 1;
    ctx.strokeStyle = this.colors.mark;
    ctx.lineWidth = ratio;
    ctx.setLineDash([2 * ratio, 3 * ratio]);
    ctx.beginPath();
    for (const mark of marks) {
      const px = Math.round(x.offset + mark * x.factor) + 0.5;
      ctx.moveTo(px, top);
      ctx.lineTo(px, top + height);
    }
    ctx.stroke();
  }

  private scaleX(): Scale {
    const { left, width } = this.chart.bbox;
    const { min, max } = this.drawing.x;
    const factor = width / (max - min);
    return { offset: left - min * factor, factor };
  }

  private scaleY({ min, max }: AxisDrawing): Scale {
    const { top, height } = this.chart.bbox;
    const factor = -height / (max - min);
    return { offset: top - max * factor, factor };
  }
}

function limits({ min, max }: AxisDrawing): [number, number] {
  return [min, max];
}

function colorsOf(frame: HTMLElement): Colors {
  const style = getComputedStyle(frame);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  return { text: color('--text-soft'), line: color('--line-strong'), grid: color('--line'), mark: color('--warning') };
}
