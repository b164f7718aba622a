/** Numbers beside curves: as many digits as tell them apart, in little room. */

/** Writes a value with up to five digits that count; large whole numbers keep all of theirs. */
export function formatValue(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) {
    return '–';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? '∞' : '−∞';
  }
  const size = Math.abs(value);
  const text = size !== 0 && (size >= 1e6 || size < 1e-4) ? exponential(value, 4) : String(size >= 1e4 ? Math.round(value) : Number(value.toPrecision(5)));
  return text.replaceAll('-', '−');
}

/** Writes a value and its unit. */
export function withUnit(value: number | undefined, unit: string): string {
  return unit === '' || value === undefined || Number.isNaN(value) ? formatValue(value) : `${formatValue(value)} ${unit}`;
}

/** Writes the numbers along an axis, all with the same digits. */
export function tickTexts(values: readonly number[], step: number): readonly string[] {
  const largest = Math.max(0, ...values.map(Math.abs));
  const decimals = decimalsOf(step);
  if (largest >= 1e6 || decimals > 5) {
    // As many digits as tell neighbours apart.
    const digits = Math.min(8, Math.max(0, powerOf(largest) - powerOf(step)));
    return values.map((value) => (value === 0 ? '0' : exponential(value, digits).replaceAll('-', '−')));
  }
  return values.map((value) => value.toFixed(decimals).replaceAll('-', '−'));
}

/** How many digits behind the point tell multiples of a step; a quarter needs two. */
function decimalsOf(step: number): number {
  for (let decimals = 0; decimals <= 15; decimals += 1) {
    const whole = step * 10 ** decimals;
    if (whole >= 1 - 1e-9 && Math.abs(whole - Math.round(whole)) < 1e-6) {
      return decimals;
    }
  }
  return 0;
}

function powerOf(value: number): number {
  return Math.floor(Math.log10(value) + 1e-9);
}

function exponential(value: number, digits: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(digits).split('e');
  return `${String(Number(mantissa))}e${exponent.replace('+', '')}`;
}
