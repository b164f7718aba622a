/** Two cursors and what lies between them. */
import type { Measure } from '../../world/plotFrame';
import { formatValue, withUnit } from './numbers';

/** The two instants, in seconds, as they were placed. */
export interface Cursors {
  readonly a: number;
  readonly b: number;
}

/** What a column of the table shows of a curve. */
export interface Column {
  readonly title: string;
  /** What it means, for who does not know. */
  readonly hint: string;
  readonly of: (measure: Measure, spanSecs: number) => number | undefined;
}

export const COLUMNS: readonly Column[] = [
  { title: 'A', hint: 'Last value at or before cursor A', of: ({ first }) => first },
  { title: 'B', hint: 'Last value at or before cursor B', of: ({ last }) => last },
  { title: 'Δy', hint: 'B less A', of: change },
  { title: 'Slope', hint: 'Change for each second: Δy / Δt', of: slope },
  { title: 'Min', hint: 'Least value between the cursors', of: ({ min }) => min },
  { title: 'Max', hint: 'Greatest value between the cursors', of: ({ max }) => max },
  { title: 'Mean', hint: 'Mean of the samples between the cursors', of: ({ mean }) => mean },
  { title: 'RMS', hint: 'Root of the mean square', of: ({ rms }) => rms },
  { title: 'Deviation', hint: 'Standard deviation about the mean', of: ({ deviation }) => deviation },
  { title: 'Count', hint: 'Samples between the cursors, both included', of: ({ count }) => count },
];

export interface Row {
  readonly label: string;
  readonly unit: string;
  readonly measure: Measure;
}

/** Puts cursors into a view where there are none yet: at a third and at two thirds. */
export function cursorsIn({ min, max }: { readonly min: number; readonly max: number }): Cursors {
  const third = (max - min) / 3;
  return { a: min + third, b: max - third };
}

/** Says how far apart the cursors are; the frequency tells how often something of that length repeats. */
export function spanText({ a, b }: Cursors): string {
  const span = b - a;
  return `Δt = ${withUnit(span, 's')}${span === 0 ? '' : `  ·  1/Δt = ${withUnit(1 / Math.abs(span), 'Hz')}`}`;
}

/** Writes the table as text that spreadsheets take: tabs between columns, plain numbers. */
export function measureText({ a, b }: Cursors, rows: readonly Row[]): string {
  const head = ['Curve', 'Unit', ...COLUMNS.map(({ title }) => title)];
  const lines = rows.map(({ label, unit, measure }) => [
    label, unit, ...COLUMNS.map((column) => String(column.of(measure, b - a) ?? '')),
  ]);
  return [`A\t${a}\ts`, `B\t${b}\ts`, `Δt\t${b - a}\ts`, ...[head, ...lines].map((cells) => cells.join('\t'))].join('\n');
}

/** Writes a cell of the table. */
export function cellText(column: Column, measure: Measure, spanSecs: number): string {
  return formatValue(column.of(measure, spanSecs));
}

function change({ first, last }: Measure): number | undefined {
  return first === undefined || last === undefined ? undefined : last - first;
}

function slope(measure: Measure, spanSecs: number): number | undefined {
  const delta = change(measure);
  return delta === undefined || spanSecs === 0 ? undefined : delta / spanSecs;
}

/** Turns the values at the cursors round when B lies before A; the host counts from early to late. */
export function oriented(measure: Measure, { a, b }: Cursors): Measure {
  return a <= b ? measure : { ...measure, first: measure.last, last: measure.first };
}
