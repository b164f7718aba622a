/** Expressions of derived items: where they are wrong, and what can be written. */
import type { PlotProblem } from '../../world/plotLayout';

/** The line of an expression with a fault, and marks below its characters. */
export interface Caret {
  readonly line: string;
  readonly caret: string;
}

export function caretOf(expression: string, { column, length }: Pick<PlotProblem, 'column' | 'length'>): Caret {
  // The host counts characters, and some take two places of a text.
  const signs = Array.from(expression);
  const before = signs.slice(0, column);
  const start = before.lastIndexOf('\n') + 1;
  const end = signs.indexOf('\n', start);
  const line = signs.slice(start, end < 0 ? undefined : end);
  return { line: line.join(''), caret: `${' '.repeat(column - start)}${'^'.repeat(Math.max(1, length))}` };
}

/** Says whether the host takes a text as the name of a derived item. */
export function isDerivedName(text: string): boolean {
  return /^[\p{Alphabetic}_][\p{Alphabetic}\p{N}_]*$/u.test(text);
}

/** What can be written in expressions, with an example each. */
export const HELP: readonly { readonly what: string; readonly example: string }[] = [
  { what: 'Signals by name, in quotes', example: '"car::chassis::linear_velocity.x"' },
  { what: 'Numbers, constants, the time', example: '2.5e-3, pi, e, g, t' },
  { what: 'Arithmetic and conditions', example: 'x^2 / 2 - y, if(x > 0, x, 0)' },
  { what: 'Functions', example: 'sqrt abs sin cos tan atan2 exp ln log10 min max clamp norm round wrap' },
  { what: 'Over time', example: 'deriv(x), integral(x), diff(x), prev(x), delay(x, 0.1), cummax(x)' },
  { what: 'Smoothing: samples or seconds', example: 'avg(x, 20), avg_time(x, 0.5), rms(x, 20), lowpass(x, 0.1)' },
  { what: 'Units and angles', example: 'convert(x, "m/s", "km/h"), deg(x), yaw(qx, qy, qz, qw)' },
  { what: 'The same signal of a kept run', example: 'x - run("run_1", x)' },
];
