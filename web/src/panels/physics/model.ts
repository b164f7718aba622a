/** The settings of a profile as rows: what is asked for, what is in force, what differs. */
import { humanize } from '../../lib/format';
import type { Physics, Profile, SettingKey } from '../../world/physics';

export interface Row {
  readonly key: SettingKey;
  readonly label: string;
  /** As SDF writes it; empty when nothing is said and there is no default, as of gravity. */
  readonly value: string;
  /** False when the profile does not say it. */
  readonly written: boolean;
  /** The value in force; undefined when the profile is not, or the engine does not use it. */
  readonly inForce: string | undefined;
  /** The value in force is not the one that is asked for. */
  readonly overruled: boolean;
  /** The value of the profile to compare with. */
  readonly other: string | undefined;
  readonly differs: boolean;
  /** Why it has no effect. */
  readonly notUsed: string | undefined;
}

export interface Group {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** What no engine here uses is behind a fold, unless the profile says it. */
export interface Settings {
  readonly groups: readonly Group[];
  /** What could be said besides, and would have no effect. */
  readonly unusedRows: readonly Row[];
  /** What the profile says that is no known setting, and why it has no effect. */
  readonly unknown: readonly { readonly key: string; readonly value: string; readonly reason: string }[];
}

const ENGINE_TITLES: Readonly<Record<string, string>> = {
  rapier: 'Rapier', ode: 'ODE', bullet: 'Bullet', dart: 'DART', simbody: 'Simbody',
};
const GENERAL = 'Every engine';

/** Returns the settings of a profile, compared with another when there is one. */
export function settingsOf(physics: Physics, profile: Profile, other?: Profile): Settings {
  const rows = physics.keys.map((key) => rowOf(key, physics, profile, other));
  const said = (row: Row): boolean => row.key.engines.length > 0 || row.written || row.differs;
  const known = new Set(physics.keys.map(({ key }) => key));
  return {
    groups: groupsOf(rows.filter(said)),
    unusedRows: rows.filter((row) => !said(row)),
    unknown: [...profile.notUsed].filter(([key]) => !known.has(key)).map(([key, { value, reason }]) => ({ key, value, reason })),
  };
}

function rowOf(key: SettingKey, physics: Physics, profile: Profile, other: Profile | undefined): Row {
  const { value, written } = valueIn(profile, key);
  const inForce = profile.name === physics.current ? physics.inForce.get(key.key) : undefined;
  const theirs = other && valueIn(other, key).value;
  return {
    key,
    label: humanize(key.key.split('/').at(-1) ?? key.key),
    value,
    written,
    inForce,
    overruled: inForce !== undefined && value !== '' && !isSame(inForce, value),
    other: theirs,
    differs: theirs !== undefined && !isSame(theirs, value),
    notUsed: profile.notUsed.get(key.key)?.reason,
  };
}

function valueIn(profile: Profile, { key, defaultValue }: SettingKey): { readonly value: string; readonly written: boolean } {
  return profile.values.get(key) ?? { value: defaultValue, written: false };
}

/** Says whether two values mean the same, however their numbers are written. */
export function isSame(a: string, b: string): boolean {
  const [ours, theirs] = [a.trim().split(/\s+/u), b.trim().split(/\s+/u)];
  const equal = (x: string, y: string | undefined): boolean => x === y || (x !== '' && y !== '' && Number(x) === Number(y));
  return ours.length === theirs.length && ours.every((part, i) => equal(part, theirs[i]));
}

function groupsOf(rows: readonly Row[]): readonly Group[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const [engine = '', ...rest] = row.key.key.split('/');
    const title = rest.length === 0 ? GENERAL : (ENGINE_TITLES[engine] ?? humanize(engine));
    groups.set(title, [...(groups.get(title) ?? []), row]);
  }
  return [...groups].map(([title, members]) => ({ title, rows: members }));
}

/** How many settings two profiles have that are not the same. */
export function differencesOf({ groups }: Settings): number {
  return groups.flatMap(({ rows }) => rows).filter(({ differs }) => differs).length;
}

/** Writes a value with its unit. */
export function shown(value: string, { unit, kind }: Pick<SettingKey, 'unit' | 'kind'>): string {
  if (value === '') {
    return 'The world’s';
  }
  return kind === 'flag' ? (value === 'true' ? 'on' : 'off') : `${value} ${unit}`.trim();
}

/** Reads the three numbers of a vector; undefined when it is none. */
export function vectorOf(value: string): readonly [number, number, number] | undefined {
  const [x, y, z, ...more] = value.trim().split(/\s+/u).map(Number);
  const whole = x !== undefined && y !== undefined && z !== undefined && more.length === 0;
  return whole && [x, y, z].every(Number.isFinite) ? [x, y, z] : undefined;
}

/** A slider from 0 to `steps`; even steps, or even ratios over a wide range. */
export interface Slider {
  readonly steps: number;
  readonly min: number;
  readonly max: number;
  readonly scale: 'even' | 'ratio';
  readonly whole: boolean;
}

/** Ranges wider than this are cut into ratios. */
const WIDE = 100;
const STEPS = 400;
/** Digits of a number that a slider finds. */
const DIGITS = 2;

/** Returns the slider of a setting; undefined for what has no range, or no effect. */
export function sliderOf({ kind, min, max, engines }: SettingKey): Slider | undefined {
  const numeric = kind === 'number' || kind === 'count';
  if (!numeric || min === undefined || max === undefined || engines.length === 0 || max <= min) {
    return undefined;
  }
  const whole = kind === 'count';
  const scale = min > 0 && max / min > WIDE ? 'ratio' : 'even';
  return { steps: whole && scale === 'even' ? max - min : STEPS, min, max, scale, whole };
}

/** Where a value is on a slider, from 0 to `steps`. */
export function positionOf({ steps, min, max, scale }: Slider, value: number): number {
  const share = scale === 'even' ? (value - min) / (max - min) : Math.log(Math.max(value, min) / min) / Math.log(max / min);
  return Math.round(Math.min(1, Math.max(0, share)) * steps);
}

/** The value of a place on a slider: one that is short to write, inside the range. */
export function valueAt({ steps, min, max, scale, whole }: Slider, position: number): number {
  const share = position / steps;
  const exact = scale === 'even' ? min + share * (max - min) : min * (max / min) ** share;
  const rounded = whole ? Math.round(exact) : Number(exact.toPrecision(DIGITS));
  return Math.min(max, Math.max(min, rounded));
}

/** Says why a number is not allowed; undefined when it is. */
export function rangeProblem({ min, max, orZero, kind, allowed }: SettingKey, value: number): string | undefined {
  const inside = value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
  const whole = kind !== 'count' || Number.isInteger(value);
  const fits = Number.isFinite(value) && ((orZero && value === 0) || (inside && whole));
  return fits ? undefined : `It takes ${allowed}`;
}

/** Says why a profile cannot have a name; undefined when it can. */
export function nameProblem(name: string, profiles: readonly Profile[]): string | undefined {
  if (name.trim() === '') {
    return 'Give it a name';
  }
  return profiles.some((profile) => profile.name === name.trim()) ? `There is a profile named ${name.trim()} already` : undefined;
}

/** A name that no profile has: the base itself, or with a number. */
export function freeName(base: string, profiles: readonly Profile[]): string {
  const taken = new Set(profiles.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!taken.has(name)) {
      return name;
    }
  }
}

/** An SDF file with some profiles, as loading takes them. */
export function fileOf(profiles: readonly Profile[]): string {
  const indented = profiles.map(({ sdf }) => sdf.trimEnd().replaceAll(/^/gmu, '  '));
  return `<?xml version="1.0"?>\n<sdf version="1.12">\n${indented.join('\n')}\n</sdf>\n`;
}

/** A name for a file; what file systems do not like becomes a line. */
export function fileName(name: string): string {
  const stem = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/gu, '').slice(0, 80);
  return `${stem === '' ? 'profile' : stem}.sdf`;
}
