/**
 * Numbers as people type them: with arithmetic, with units, infinite. Inside there are only SI
 * units; what a unit may be called depends on the unit of the field.
 */

/** How many of the base unit one of these is, by the base unit. */
const SCALES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  m: { m: 1, mm: 1e-3, cm: 1e-2, dm: 0.1, km: 1e3, in: 0.0254, ft: 0.3048 },
  rad: { rad: 1, mrad: 1e-3, deg: Math.PI / 180, '°': Math.PI / 180, turn: 2 * Math.PI },
  s: { s: 1, ms: 1e-3, us: 1e-6, min: 60 },
  kg: { kg: 1, g: 1e-3, mg: 1e-6, t: 1e3 },
  N: { N: 1, mN: 1e-3, kN: 1e3, Nm: 1 },
  Hz: { Hz: 1, kHz: 1e3 },
  '°': { '°': 1, deg: 1, rad: 180 / Math.PI, turn: 360 },
};

const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['π', Math.PI],
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['∞', Number.POSITIVE_INFINITY],
]);

/** Longer texts are no numbers, and a bound keeps brackets from nesting without end. */
const MOST_CHARACTERS = 200;

/** A number as written, the value of a name, or a sign. */
type Token = number | { readonly named: number } | string;

/** Reads a number in the given unit; undefined when the text is none. `unit` may be empty. */
export function parseQuantity(text: string, unit: string): number | undefined {
  const tokens = text.length > MOST_CHARACTERS ? undefined : tokensOf(text, namesFor(unit));
  if (tokens === undefined || tokens.length === 0) {
    return undefined;
  }
  const value = new Reader(tokens).read();
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/** Says which units a field with this unit takes, besides its own. */
export function unitsFor(unit: string): readonly string[] {
  return [...namesFor(unit).keys()];
}

/** Writes a number for an input: every digit that counts, and a plain minus. */
export function exactText(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : value > 0 ? '∞' : '-∞';
}

/** Writes a number for an input that nobody edits: what fits, and a plain minus. */
export function shortText(value: number, { integer } = { integer: false }): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || integer || value === 0) {
    return exactText(value);
  }
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa = '', exponent = ''] = value.toExponential(3).split('e');
    return `${Number(mantissa)}e${exponent.replace('+', '')}`;
  }
  return String(Number(value.toFixed(4)));
}

/** Returns how far one press of an arrow key goes. */
export function stepOf(value: number, unit: string, { integer } = { integer: false }): number {
  const size = Math.abs(value);
  if (integer || unit === '°') {
    return 1;
  }
  return size === 0 || !Number.isFinite(value) ? 0.1 : 10 ** (Math.floor(Math.log10(size) + 1e-9) - 1);
}

/** Goes some steps on, to a number that is short to write. What is infinite stays. */
export function stepped(value: number, step: number, count: number): number {
  if (!Number.isFinite(value)) {
    return value;
  }
  const digits = Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(step) + 1e-9)));
  return Number((value + step * count).toFixed(digits));
}

/** Says why a number is not one for a field; undefined when it is. */
export function problemOf(value: number, limits: { min?: number | undefined; max?: number | undefined; infinite: boolean; integer: boolean }): string | undefined {
  const { min, max, infinite, integer } = limits;
  if (!Number.isFinite(value) && !infinite) {
    return 'It cannot be infinite';
  }
  if (integer && !Number.isInteger(value)) {
    return 'It takes a whole number';
  }
  if (min !== undefined && value < min) {
    return `It must be at least ${exactText(min)}`;
  }
  return max !== undefined && value > max ? `It must be at most ${exactText(max)}` : undefined;
}

function namesFor(unit: string): ReadonlyMap<string, number> {
  const bases = unit.split(/[^\p{L}°]+/u).filter((part) => Object.hasOwn(SCALES, part));
  return new Map(bases.flatMap((base) => Object.entries(SCALES[base] ?? {})));
}

/** Splits a text into numbers and signs; names become numbers. Undefined when something is neither. */
function tokensOf(text: string, names: ReadonlyMap<string, number>): readonly Token[] | undefined {
  const pattern = /\s*(?:(\d+\.?\d*(?:[eE][-+−]?\d+)?|\.\d+(?:[eE][-+−]?\d+)?)|([\p{L}°∞]+)|([-+−*×·/÷()²³]))\s*/uy;
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const [, digits, name, sign] = pattern.exec(text) ?? [];
    const named = name === undefined ? undefined : (names.get(name) ?? CONSTANTS.get(name.toLowerCase()));
    const token = digits === undefined ? (named === undefined ? sign : { named }) : Number(digits.replace('−', '-'));
    if (token === undefined) {
      return undefined;
    }
    tokens.push(token);
  }
  return tokens;
}

/** Sums of products, as at school; a name beside a number is multiplied: `5 cm`. */
class Reader {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  read(): number | undefined {
    const value = this.sum();
    return this.at === this.tokens.length ? value : undefined;
  }

  private take(...signs: readonly string[]): string | undefined {
    const next = this.tokens[this.at];
    if (typeof next !== 'string' || !signs.includes(next)) {
      return undefined;
    }
    this.at += 1;
    return next;
  }

  private sum(): number | undefined {
    let value = this.product();
    for (let sign = this.take('+', '-', '−'); sign !== undefined; sign = this.take('+', '-', '−')) {
      const next = this.product();
      value = both(value, next, (a, b) => (sign === '+' ? a + b : a - b));
    }
    return value;
  }

  private product(): number | undefined {
    let value = this.signed();
    for (;;) {
      const sign = this.take('*', '×', '·', '/', '÷');
      const next = this.tokens[this.at];
      if (sign === undefined && typeof next !== 'object' && next !== '(') {
        return value;
      }
      const divides = sign === '/' || sign === '÷';
      value = both(value, this.signed(), (a, b) => (divides ? a / b : a * b));
    }
  }

  private signed(): number | undefined {
    const sign = this.take('-', '−', '+');
    if (sign === undefined) {
      return this.power();
    }
    const value = this.signed();
    return value === undefined || sign === '+' ? value : -value;
  }

  private power(): number | undefined {
    const value = this.primary();
    const sign = this.take('²', '³');
    return value === undefined || sign === undefined ? value : value ** (sign === '²' ? 2 : 3);
  }

  private primary(): number | undefined {
    if (this.take('(') !== undefined) {
      const value = this.sum();
      return this.take(')') === undefined ? undefined : value;
    }
    const token = this.tokens[this.at];
    this.at += 1;
    if (typeof token === 'object') {
      return token.named;
    }
    return typeof token === 'number' ? token : undefined;
  }
}

function both(a: number | undefined, b: number | undefined, join: (a: number, b: number) => number): number | undefined {
  return a === undefined || b === undefined ? undefined : join(a, b);
}
