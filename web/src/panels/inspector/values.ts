/** How the editors turn values of fields into what people see, and back. */
import { normalizedQuat, quatOfRollPitchYaw, rollPitchYaw, type Quat, type Vec3 } from '../../lib/pose';
import type { FieldValue } from '../../world/fieldValue';
import type { EditorRow, Option } from './section';

const DEGREES = 180 / Math.PI;

/** Names of the numbers of a vector. */
export function axisNames(path: string, count: number): readonly string[] {
  if (path.endsWith('moments')) {
    return ['xx', 'yy', 'zz'];
  }
  if (path.endsWith('products')) {
    return ['xy', 'xz', 'yz'];
  }
  return ['x', 'y', 'z', 'w'].slice(0, count).concat(Array.from({ length: Math.max(0, count - 4) }, (_, i) => String(i + 5)));
}

/** Replaces one number of several. */
export function withNumber(numbers: readonly number[], index: number, number: number): FieldValue {
  return { type: 'numbers', numbers: numbers.with(index, number) };
}

/** Position of a pose that is seven numbers. */
export function positionOf([x = 0, y = 0, z = 0]: readonly number[]): Vec3 {
  return [x, y, z];
}

/** Rotation of a pose that is seven numbers. */
export function rotationOf(pose: readonly number[]): Quat {
  const [x = 0, y = 0, z = 0, w = 1] = pose.slice(3);
  return [x, y, z, w];
}

/** Roll, pitch and yaw of a pose, in degrees. */
export function anglesOf(pose: readonly number[]): Vec3 {
  const [roll, pitch, yaw] = rollPitchYaw(rotationOf(pose));
  return [roll * DEGREES, pitch * DEGREES, yaw * DEGREES];
}

/** Gives a pose another roll, pitch or yaw, in degrees; the other two stay. */
export function withAngle(pose: readonly number[], index: number, degrees: number): FieldValue {
  const [roll, pitch, yaw] = anglesOf(pose).with(index, degrees).map((angle) => angle / DEGREES);
  return withRotation(pose, quatOfRollPitchYaw([roll ?? 0, pitch ?? 0, yaw ?? 0]));
}

/** Gives a pose another number of its quaternion, which is made one long; undefined for zero. */
export function withQuaternion(pose: readonly number[], index: number, number: number): FieldValue | undefined {
  const rotation = normalizedQuat(rotationOf(pose).with(index, number) as unknown as Quat);
  return rotation && withRotation(pose, rotation);
}

/** Writes a colour as browsers want it, without alpha. */
export function hexOf(color: readonly number[]): string {
  const byte = (value = 0): string => Math.round(Math.min(1, Math.max(0, value)) * 255).toString(16).padStart(2, '0');
  return `#${byte(color[0])}${byte(color[1])}${byte(color[2])}`;
}

/** Gives a colour other red, green and blue; alpha stays. */
export function withHex(color: readonly number[], hex: string): FieldValue {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return { type: 'numbers', numbers: [part(1), part(3), part(5), color[3] ?? 1] };
}

/** The infinity that a limit means: of a lower one it is below everything. */
export function infinityOf(path: string): number {
  return /(^|\.)(lower|min)\w*$/.test(path) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** What a field that was absent begins with. */
export function firstValue({ field, options, first }: Pick<EditorRow, 'field' | 'options' | 'first'>): FieldValue {
  if (first !== undefined) {
    return first;
  }
  switch (field.type) {
    case 'number':
    case 'integer':
      return { type: 'number', number: Math.min(field.max ?? Infinity, Math.max(field.min ?? -Infinity, 0)) };
    case 'flag':
      return { type: 'flag', flag: true };
    case 'text':
      return { type: 'text', text: '' };
    case 'choice':
      return { type: 'text', text: field.choices[0] ?? '' };
    case 'vector':
      return { type: 'numbers', numbers: [0, 0, 0] };
    case 'pose':
      return { type: 'numbers', numbers: [0, 0, 0, 0, 0, 0, 1] };
    case 'color':
      return { type: 'numbers', numbers: [1, 1, 1, 1] };
    case 'entity': {
      const [option]: readonly (Option | undefined)[] = options;
      return option === undefined ? { type: 'none' } : { type: 'entity', entity: option.id };
    }
  }
}

function withRotation(pose: readonly number[], rotation: Quat): FieldValue {
  return { type: 'numbers', numbers: [...positionOf(pose), ...rotation] };
}
