/** Positions of joints as people read and type them. Inside there are only radians and metres. */
import { formatNumber } from '../../lib/format';
import { recall, remember } from '../../lib/storage';

export type AngleUnit = 'rad' | 'deg';

/** A unit as inputs show it, and how many of it one of the inner unit is. */
export interface ShownUnit {
  readonly name: string;
  readonly factor: number;
  readonly decimals: number;
}

/** Returns how a position of a joint is shown; `unit` is the joint's own. */
export function shownUnit(unit: string, angle: AngleUnit): ShownUnit {
  if (unit !== 'rad') {
    return { name: unit, factor: 1, decimals: 4 };
  }
  return angle === 'deg' ? { name: '°', factor: 180 / Math.PI, decimals: 1 } : { name: 'rad', factor: 1, decimals: 3 };
}

/** Writes a position without its unit; a dash where none is known. */
export function formatPosition(value: number | undefined, { factor, decimals }: ShownUnit): string {
  return value === undefined || Number.isNaN(value) ? '–' : formatNumber(value * factor, decimals);
}

export function keptAngleUnit(): AngleUnit {
  return recall('motion-angles') === 'deg' ? 'deg' : 'rad';
}

export function keepAngleUnit(unit: AngleUnit): void {
  remember('motion-angles', unit);
}
