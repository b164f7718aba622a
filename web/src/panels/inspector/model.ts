/** What the inspector says about an entity: sections of labelled rows, as plain data. */
import { humanize } from '../../lib/format';
import { readPose } from '../../world/components';
import type { Entity } from '../../world/entity';
import type { World } from '../../world/world';
import { DESCRIBERS, fieldRows } from './describers';
import { describeJoint } from './joint';
import { poseRows, treeRow } from './rows';
import type { Section, Subject } from './section';

/** Components that the head of the inspector shows, or that say what another one says better. */
const ELSEWHERE = new Set(['kind', 'name', 'parent', 'pose']);

/** Describes all components of an entity, the well-known ones first. */
export function describe(subject: Subject): readonly Section[] {
  const { entity, world } = subject;
  const told = new Set(ELSEWHERE);
  const sections: Section[] = poseSections(subject);
  const joint = describeJoint(entity, world);
  if (joint !== undefined) {
    sections.push(joint.section);
    joint.told.forEach((name) => told.add(name));
  }
  for (const [name, describer] of Object.entries(DESCRIBERS)) {
    const rows = describer(entity.component(name), subject);
    if (rows !== undefined) {
      told.add(name);
      sections.push({ key: name, title: describer.title, rows });
    }
  }
  return [...sections, ...otherSections(entity, told)];
}

/** The parents of an entity, outermost first, for the way up. */
export function ancestorsOf(world: World, entity: Entity): readonly Entity[] {
  return world.lineage(entity.id).slice(0, -1);
}

function poseSections({ entity, world, worldPose }: Subject): Section[] {
  const parentFromEntity = readPose(entity.component('pose'));
  if (parentFromEntity === undefined) {
    return [];
  }
  const parent = entity.parent === undefined ? undefined : world.entity(entity.parent);
  const inWorld = { key: 'world_pose', title: 'Pose', rows: poseRows(worldPose, 'Position', 'Rotation') };
  if (parent === undefined || parent.kind === 'world') {
    return [inWorld];
  }
  const rows = poseRows(parentFromEntity, 'Relative position', 'Relative rotation');
  return [inWorld, { key: 'pose', title: `Pose in ${parent.name}`, rows, folded: true }];
}

function otherSections(entity: Entity, told: ReadonlySet<string>): Section[] {
  return entity
    .componentNames()
    .filter((name) => !told.has(name) && !isEmptyList(entity.component(name)))
    .map((name) => otherSection(name, entity.component(name)));
}

/** One number or word is shown at once, more waits for a click. */
function otherSection(name: string, value: unknown): Section {
  const title = humanize(name);
  return typeof value === 'object'
    ? { key: name, title, rows: [treeRow(value)], folded: true }
    : { key: name, title, rows: fieldRows('value', value, '') };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
