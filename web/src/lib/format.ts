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

/** Writes the size of a file, as file managers do: `640 B`, `12.5 kB`, `3.4 MB`. */
export function formatFileSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3 + 1e-12), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${value.toFixed(power === 0 || value >= 99.95 ? 0 : 1)} ${units[power] ?? 'B'}`;
}

/** Writes how long something has lasted, as a clock does: `00:12`, `1:02:03`. */
export function formatClock(secs: number): string {
  const whole = Math.floor(Math.max(secs, 0) + 1e-9);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return `${hours === 0 ? '' : `${hours}:`}${two(minutes)}:${two(whole % 60)}`;
}

/** Writes a time in a log: `3.21 s`, `1:05.25`, `1:02:03.25`. */
export function formatLogTime(secs: number): string {
  const text = logTimeText(secs);
  return text.includes(':') ? text : `${text} s`;
}

/** Writes where in a log something is: `5.40 / 20.00 s`. */
export function formatProgress(atSecs: number, lengthSecs: number): string {
  return `${logTimeText(atSecs)} / ${formatLogTime(lengthSecs)}`;
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

/** A time without its unit; with a colon when it is a minute or more. */
function logTimeText(secs: number): string {
  const hundredths = Math.round(Math.abs(secs) * 100);
  const sign = secs < 0 && hundredths > 0 ? '−' : '';
  const rest = ((hundredths % 6000) / 100).toFixed(2);
  const minutes = Math.floor(hundredths / 6000);
  if (minutes === 0) {
    return `${sign}${rest}`;
  }
  const hours = Math.floor(minutes / 60);
  const front = hours === 0 ? String(minutes) : `${hours}:${String(minutes % 60).padStart(2, '0')}`;
  return `${sign}${front}:${rest.padStart(5, '0')}`;
}

function trimZeros(text: string): string {
  const [mantissa = '', exponent] = text.split('e');
  const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return exponent === undefined ? short : `${short}e${exponent.replace('+', '')}`;
}

function withMinus(text: string): string {
  return /^-[0.]+$/.test(text) ? text.slice(1) : text.replaceAll('-', '−');
}
