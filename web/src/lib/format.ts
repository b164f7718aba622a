/** Numbers for people: a fixed number of digits, a real minus sign, no negative zero. */

/** Writes a measured number with `digits` decimals; very large ones in powers of ten. */
export function formatNumber(value: number, digits = 3): string {
  if (Number.isNaN(value)) {
    return 'not a number';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? '∞' : '−∞';
  }
  const huge = Math.abs(value) >= 1e6;
  return withMinus(huge ? trimZeros(value.toExponential(2)) : value.toFixed(digits));
}

/** Writes a given number, such as a size in a file: no needless zeros, tiny ones kept. */
export function formatShort(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < 1e-4) {
    return withMinus(trimZeros(value.toExponential(2)));
  }
  return trimZeros(formatNumber(value, 4));
}

/** Writes an angle given in radians in degrees. */
export function formatDegrees(radians: number): string {
  return formatNumber((radians * 180) / Math.PI, 1);
}

/** Writes seconds as `12.345 s`, `3:05.250` or `1:02:03.250`. */
export function formatSimTime(secs: number): string {
  const millis = Math.round(Math.abs(secs) * 1000);
  const sign = secs < 0 && millis > 0 ? '−' : '';
  const rest = ((millis % 60_000) / 1000).toFixed(3);
  const minutes = Math.floor(millis / 60_000);
  if (minutes === 0) {
    return `${sign}${rest} s`;
  }
  const tail = rest.padStart(6, '0');
  if (minutes < 60) {
    return `${sign}${String(minutes)}:${tail}`;
  }
  const hours = Math.floor(minutes / 60);
  return `${sign}${String(hours)}:${String(minutes % 60).padStart(2, '0')}:${tail}`;
}

/** Writes how far time went, with its direction: `−3.20 s`, `+1:05.250`. */
export function formatSpan(secs: number): string {
  const size = Math.abs(secs);
  const written = size >= 60 ? formatSimTime(size) : `${formatNumber(size, size < 0.1 ? 3 : 2)} s`;
  return `${secs < 0 ? '−' : '+'}${written}`;
}

/** Writes an amount of memory: `640 B`, `12.5 KiB`, `512 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / 2 ** (10 * power);
  return `${trimZeros(formatNumber(value, value >= 100 || power === 0 ? 0 : 1))} ${units[power] ?? 'B'}`;
}

/** Writes a whole number with thin spaces between groups of three digits. */
export function formatCount(value: number | bigint): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** Makes words of an identifier: `joint_position` becomes `Joint position`. */
export function humanize(identifier: string): string {
  const words = identifier.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function trimZeros(text: string): string {
  const [mantissa = '', exponent] = text.split('e');
  const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return exponent === undefined ? short : `${short}e${exponent.replace('+', '')}`;
}

function withMinus(text: string): string {
  return /^-[0.]+$/.test(text) ? text.slice(1) : text.replaceAll('-', '−');
}
