/** What the inspector says about an entity: sections of labelled rows, as plain data. */
import { humanize } from '../../lib/format';
import { readPose } from '../../world/components';
import type { Entity } from '../../world/entity';
import type { World } from '../../world/world';
import { DESCRIBERS, fieldRows } from './describers';
import { editorRows, leftoverRows } from './editors';
import { describeJoint } from './joint';
import { poseRows, treeRow } from './rows';
import type { Section, Subject } from './section';

/** Components that the head of the inspector shows, or another component with it. */
const ELSEWHERE = ['kind', 'name', 'pose', 'script_item_names'];

/** Titles of components that nothing describes but their fields. */
const TITLES: Readonly<Record<string, string>> = { joint: 'Joint', joint_command: 'Command', parent: 'Parent', world_text: 'Surroundings' };

/** The order in which people look for them; the others come after. */
const ORDER = ['joint', ...Object.keys(DESCRIBERS)];

/** Describes all components of an entity, the well-known ones first. */
export function describe(subject: Subject): readonly Section[] {
  const { entity, world } = subject;
  const editable = (component: string): boolean => editorRows(subject, component).length > 0;
  const told = new Set([...ELSEWHERE, ...(editable('parent') ? [] : ['parent'])]);
  const sections: Section[] = poseSections(subject);
  const joint = describeJoint(entity, world, editable('joint'), editorRows(subject, 'joint_position'));
  if (joint !== undefined) {
    sections.push(...(joint.section.rows.length > 0 ? [joint.section] : []));
    joint.told.filter((name) => name === 'joint_position' || !editable(name)).forEach((name) => told.add(name));
  }
  const names = entity.componentNames().filter((name) => !told.has(name));
  const ordered = [...ORDER.filter((name) => names.includes(name)), ...names.filter((name) => !ORDER.includes(name))];
  return [...sections, ...ordered.flatMap((name) => sectionsOf(subject, name))];
}

/** What people call a component. */
export function componentTitle(name: string): string {
  const describer = Object.hasOwn(DESCRIBERS, name) ? DESCRIBERS[name] : undefined;
  return describer?.title ?? TITLES[name] ?? humanize(name);
}

/** The parents of an entity, outermost first, for the way up. */
export function ancestorsOf(world: World, entity: Entity): readonly Entity[] {
  return world.lineage(entity.id).slice(0, -1);
}

function poseSections(subject: Subject): Section[] {
  const { entity, world, worldPose } = subject;
  const parentFromEntity = readPose(entity.component('pose'));
  if (parentFromEntity === undefined) {
    return [];
  }
  const parent = entity.parent === undefined ? undefined : world.entity(entity.parent);
  const inWorld = parent === undefined || parent.kind === 'world';
  const editors = editorRows(subject, 'pose');
  if (inWorld) {
    const rows = editors.length > 0 ? editors : poseRows(worldPose, 'Position', 'Rotation');
    return [{ key: 'pose', title: 'Pose', rows }];
  }
  const rows = editors.length > 0 ? editors : poseRows(parentFromEntity, 'Position', 'Rotation');
  return [
    { key: 'pose', title: `Pose in ${parent.name}`, rows },
    { key: 'world_pose', title: 'Pose in the world', rows: poseRows(worldPose, 'World position', 'World rotation'), folded: true },
  ];
}

/** One section for a component; none for an empty list. */
function sectionsOf(subject: Subject, name: string): readonly Section[] {
  const value = subject.entity.component(name);
  const describer = Object.hasOwn(DESCRIBERS, name) ? DESCRIBERS[name] : undefined;
  const title = componentTitle(name);
  const editors = editorRows(subject, name);
  if (editors.length > 0) {
    return [{ key: name, title, rows: [...editors, ...leftoverRows(value, editors)] }];
  }
  const rows = describer?.(value, subject);
  if (rows !== undefined) {
    return rows.length === 0 ? [] : [{ key: name, title, rows }];
  }
  return isEmptyList(value) ? [] : [otherSection(name, title, value)];
}

/** One number or word is shown at once, more waits for a click. */
function otherSection(key: string, title: string, value: unknown): Section {
  return typeof value === 'object'
    ? { key, title, rows: [treeRow(value)], folded: true }
    : { key, title, rows: fieldRows('value', value, '') };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
