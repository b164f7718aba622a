/** What is shown of contacts: a point for each, and an arrow along what it carries. */
import { magnitude, type Vec3 } from '../../../lib/pose';
import { times, unit } from '../../../lib/vector';
import type { Contacts } from '../../../world/contacts';
import type { EntityId } from '../../../world/entity';

export interface ContactMark {
  readonly at: Vec3;
  /** Of unit length; where the contact pushes. */
  readonly along: Vec3;
  /** In pixels of the view. */
  readonly lengthPx: number;
}

/** What carries nothing still shows where it pushes. */
const SHORTEST_PX = 16;
const LONGEST_PX = 64;

/**
 * Returns the marks. Arrows point to what can move; the longest carries the greatest force, and an
 * arrow of half that length a quarter of it, or weak ones would not be seen.
 */
export function contactMarks({ points }: Contacts, isFixed: (collision: EntityId) => boolean): readonly ContactMark[] {
  const greatest = greatestForce({ points });
  return points.map(({ second, position, normal, force }) => {
    const newtons = magnitude(force);
    const along = unit(newtons > 0 ? force : normal);
    const share = greatest > 0 ? Math.sqrt(newtons / greatest) : 0;
    return { at: position, along: isFixed(second) ? times(along, -1) : along, lengthPx: Math.max(SHORTEST_PX, LONGEST_PX * share) };
  });
}

/** The greatest force that a contact point carries, in N. */
export function greatestForce({ points }: Pick<Contacts, 'points'>): number {
  return points.reduce((most, { force }) => Math.max(most, magnitude(force)), 0);
}
