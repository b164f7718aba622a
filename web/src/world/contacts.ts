/** Where things touch, as the server told it when it was asked last. */
import type { Vec3 } from '../lib/pose';
import type { Vector3 } from '../protocol/generated/retake/msgs/geometry_pb';
import type { WorldContacts as WireContacts } from '../protocol/generated/retake/msgs/world_contacts_pb';
import { entityIdOf, type EntityId } from './entity';

export interface Contacts {
  readonly points: readonly ContactPoint[];
  /** Points that there was no room for. */
  readonly leftOut: number;
}

/** A contact point, in the world frame. */
export interface ContactPoint {
  /** The collisions that touch. */
  readonly first: EntityId;
  readonly second: EntityId;
  readonly position: Vec3;
  /** Of unit length, from the first to the second. */
  readonly normal: Vec3;
  /** On the second, in N. */
  readonly force: Vec3;
}

export function contactsOf({ contact, leftOut }: WireContacts): Contacts {
  const points = contact.map(({ first, second, position, normal, force }) => ({
    first: entityIdOf(first), second: entityIdOf(second), position: vectorOf(position), normal: vectorOf(normal), force: vectorOf(force),
  }));
  return { points, leftOut };
}

function vectorOf(vector: Vector3 | undefined): Vec3 {
  return [vector?.x ?? 0, vector?.y ?? 0, vector?.z ?? 0];
}
