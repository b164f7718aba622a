/**
 * Colours for the material scripts that world files name, as in `Gazebo/Grey`. The scripts
 * themselves are Ogre's and are not read; these are colours that go by the same names.
 */
import type { Vec3 } from '../../lib/pose';

const COLORS: Readonly<Record<string, Vec3>> = {
  white: [1, 1, 1],
  black: [0.02, 0.02, 0.02],
  flatblack: [0.1, 0.1, 0.1],
  darkgrey: [0.18, 0.18, 0.18],
  darkgray: [0.18, 0.18, 0.18],
  grey: [0.5, 0.5, 0.5],
  gray: [0.5, 0.5, 0.5],
  lightgrey: [0.75, 0.75, 0.75],
  red: [0.85, 0.08, 0.08],
  redbright: [0.95, 0.15, 0.12],
  darkred: [0.45, 0.04, 0.04],
  green: [0.1, 0.75, 0.15],
  darkgreen: [0.05, 0.35, 0.1],
  blue: [0.1, 0.2, 0.9],
  skyblue: [0.13, 0.44, 0.7],
  darkblue: [0.04, 0.08, 0.4],
  yellow: [0.95, 0.85, 0.1],
  darkyellow: [0.65, 0.55, 0.05],
  zincyellow: [0.97, 0.9, 0.2],
  orange: [1, 0.51, 0.12],
  darkorange: [0.75, 0.33, 0.05],
  purple: [0.6, 0.2, 0.8],
  darkmagenta: [0.5, 0.05, 0.5],
  indigo: [0.33, 0.0, 0.5],
  turquoise: [0.1, 0.8, 0.78],
  gold: [0.8, 0.65, 0.24],
  bronze: [0.55, 0.34, 0.13],
  wood: [0.62, 0.44, 0.26],
  woodfloor: [0.6, 0.42, 0.25],
  woodpallet: [0.66, 0.5, 0.31],
  road: [0.25, 0.25, 0.26],
  residential: [0.55, 0.53, 0.5],
  pedestrian: [0.6, 0.6, 0.58],
  motorway: [0.24, 0.24, 0.25],
  grass: [0.3, 0.5, 0.2],
  bricks: [0.58, 0.28, 0.2],
  ceilingtiled: [0.85, 0.85, 0.82],
  pioneerbody: [0.7, 0.06, 0.06],
};

/** Words that tell how a colour is lit rather than which one it is. */
const TREATMENTS = /(transparent|transparentoverlay|glow|glowoutline|flat)$/u;

/** Returns the colour that a script's name stands for; undefined when nobody knows it. */
export function scriptColor(name: string): Vec3 | undefined {
  const [family, word] = name.toLowerCase().split('/');
  if (family !== 'gazebo' || word === undefined) {
    return undefined;
  }
  return COLORS[word] ?? COLORS[word.replace(TREATMENTS, '')];
}

/** Returns how opaque a script is by its name. */
export function scriptOpacity(name: string): number {
  return /transparent/iu.test(name) ? 0.5 : 1;
}
