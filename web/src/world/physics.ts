/** The physics profiles of the world as the server told them last, and what is in force. */
import {
  PhysicsKey_Kind, type PhysicsKey, type PhysicsProfile, type PhysicsState,
} from '../protocol/generated/retake/msgs/physics_pb';

export interface Physics {
  /** Name of the profile in force. */
  readonly current: string;
  readonly profiles: readonly Profile[];
  /** The values in force by key, as the engine and the clock report them. */
  readonly inForce: ReadonlyMap<string, string>;
  /** Everything that can be set, in the order of the server. */
  readonly keys: readonly SettingKey[];
}

export interface Profile {
  readonly name: string;
  /** Whether the file marks it as the one to start with. */
  readonly isDefault: boolean;
  readonly values: ReadonlyMap<string, ProfileValue>;
  /** Why what it asks for has no effect, by key. */
  readonly notUsed: ReadonlyMap<string, Unused>;
  /** As a `<physics>` element. */
  readonly sdf: string;
}

export interface ProfileValue {
  /** As SDF writes it. */
  readonly value: string;
  /** False when the profile does not say it, so that this is the default. */
  readonly written: boolean;
}

export interface Unused {
  readonly value: string;
  readonly reason: string;
}

/** A setting that a profile can have. */
export interface SettingKey {
  /** SDF's name as a path: `rapier/substeps`. */
  readonly key: string;
  readonly kind: 'number' | 'count' | 'flag' | 'choice' | 'vector' | 'text';
  readonly unit: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Zero is allowed besides the range. */
  readonly orZero: boolean;
  readonly choices: readonly string[];
  readonly defaultValue: string;
  readonly description: string;
  /** Engines that use it; none of those here when it is empty. */
  readonly engines: readonly string[];
  /** What is allowed, in words. */
  readonly allowed: string;
}

export function physicsOf({ current, profiles, inForce, keys }: PhysicsState): Physics {
  return {
    current,
    profiles: profiles.map(profileOf),
    inForce: new Map(inForce.map(({ key, value }) => [key, value])),
    keys: keys.map(keyOf),
  };
}

function profileOf({ name, isDefault, values, notUsed, sdf }: PhysicsProfile): Profile {
  return {
    name,
    isDefault,
    values: new Map(values.map(({ key, value, written }) => [key, { value, written }])),
    notUsed: new Map(notUsed.map(({ key, value, reason }) => [key, { value, reason }])),
    sdf,
  };
}

function keyOf({ key, kind, unit, min, max, orZero, choices, defaultValue, description, engines, allowed }: PhysicsKey): SettingKey {
  return { key, kind: kindOf(kind), unit, min, max, orZero, choices, defaultValue, description, engines, allowed };
}

function kindOf(kind: PhysicsKey_Kind): SettingKey['kind'] {
  switch (kind) {
    case PhysicsKey_Kind.NUMBER:
      return 'number';
    case PhysicsKey_Kind.COUNT:
      return 'count';
    case PhysicsKey_Kind.FLAG:
      return 'flag';
    case PhysicsKey_Kind.CHOICE:
      return 'choice';
    case PhysicsKey_Kind.VECTOR:
      return 'vector';
    case PhysicsKey_Kind.UNSPECIFIED:
    default:
      return 'text'; // Protobuf enums are open: a newer server may know more kinds.
  }
}
