/** The joints of a draft as lists show them. */
import { parseQuantity } from '../../lib/quantity';
import type { Draft, EditBody, JointGroup, MotionWarning, TaughtJoint } from '../../world/teaching';

/** A joint and its place in all lists of numbers. */
export interface JointColumn {
  readonly joint: TaughtJoint;
  readonly index: number;
}

/** The joints of a group, or all of them. */
export function columnsOf(joints: readonly TaughtJoint[], group: JointGroup | undefined): readonly JointColumn[] {
  return joints
    .map((joint, index) => ({ joint, index }))
    .filter(({ joint: { name } }) => group === undefined || group.joints.includes(name));
}

/** Those that the motion moves come first: in a wide table the others are out of sight. */
export function movedFirst(columns: readonly JointColumn[]): readonly JointColumn[] {
  return [...columns.filter(({ joint }) => !joint.muted), ...columns.filter(({ joint }) => joint.muted)];
}

/** Groups that have a joint of the draft; a single one filters nothing. */
export function usefulGroups(groups: readonly JointGroup[], joints: readonly TaughtJoint[]): readonly JointGroup[] {
  const useful = groups.filter((group) => joints.some(({ name }) => group.joints.includes(name)));
  return useful.length > 1 ? useful : [];
}

/** Joints of the robot that the draft does not have. */
export function missingJoints(robot: readonly string[], groups: readonly JointGroup[], joints: readonly TaughtJoint[]): readonly string[] {
  const here = new Set(joints.map(({ name }) => name));
  return [...new Set([...robot, ...groups.flatMap((group) => group.joints)])].filter((name) => !here.has(name));
}

/** What all joints have in common; undefined when they differ. */
export function commonTolerance(joints: readonly TaughtJoint[], which: 'path' | 'goal'): { readonly value: number | undefined } | undefined {
  const values = joints.map((joint) => (which === 'path' ? joint.pathTolerance : joint.goalTolerance));
  return values.every((value) => Object.is(value, values[0])) ? { value: values[0] } : undefined;
}

/** Sets one tolerance of a joint, or of all of them, and leaves the other as it is. */
export function toleranceEdits(joints: readonly TaughtJoint[], of: TaughtJoint | 'all', which: 'path' | 'goal', value: number | undefined): readonly EditBody[] {
  const other = which === 'path' ? 'goal' : 'path';
  const edit = (joint: string, kept: number | undefined): EditBody => ({
    case: 'tolerance',
    value: { joint, ...(value === undefined ? {} : { [which]: value }), ...(kept === undefined ? {} : { [other]: kept }) },
  });
  const otherOf = (joint: TaughtJoint): number | undefined => (other === 'path' ? joint.pathTolerance : joint.goalTolerance);
  if (of !== 'all') {
    return [edit(of.name, otherOf(of))];
  }
  const common = commonTolerance(joints, other);
  return common === undefined ? joints.map((joint) => edit(joint.name, otherOf(joint))) : [edit('', common.value)];
}

/** What an input for a number that may be left out takes. */
export type Typed = { readonly value: number | undefined } | { readonly problem: string };

/** Reads a number that may be left out: nothing is the default, `any` without limit. */
export function readOptional(text: string, unit: string): Typed {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '' || trimmed === 'default') {
    return { value: undefined };
  }
  const value = trimmed === 'any' ? Number.POSITIVE_INFINITY : parseQuantity(text, unit);
  if (value === undefined) {
    return { problem: `“${text}” is no number. Leave it empty for the default, ∞ is without limit` };
  }
  return value < 0 ? { problem: `It cannot be negative, as ${text} is. ∞ is without limit` } : { value };
}

/** All that is known to be wrong with a draft: what limits say, and what a check found besides. */
export function allWarnings({ warnings }: Draft, found: readonly MotionWarning[] | undefined): readonly MotionWarning[] {
  const known = new Set(warnings.map(({ text }) => text));
  return [...warnings, ...(found ?? []).filter(({ text }) => !known.has(text))];
}
