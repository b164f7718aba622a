/** A joint is told by several components at once: what it is, where it stands, what it is told. */
import { formatDegrees, formatNumber, formatShort } from '../../lib/format';
import { readMap, readMaps, readNumbers, readVec3 } from '../../world/components';
import type { Entity } from '../../world/entity';
import type { World } from '../../world/world';
import type { Range, Row, Section } from './section';
import { textRow, vectorRow } from './rows';

const MOVING = ['joint_position', 'joint_velocity', 'joint_effort', 'joint_command'] as const;

interface Units {
  readonly linear: boolean;
  readonly velocity: string;
  readonly effort: string;
}

/**
 * Describes a joint and says which components that covers; undefined when it is none. Of one whose
 * making can be edited, only what moves is told here, with `positions` to edit where it stands.
 */
export function describeJoint(
  entity: Entity, world: World, editable: boolean, positions: readonly Row[],
): { section: Section; told: readonly string[] } | undefined {
  const joint = readMap(entity.component('joint'));
  if (joint === undefined) {
    return undefined;
  }
  const units = unitsOf(joint['kind']);
  const axes = readMaps(joint['axes']);
  const place = positions.length === 0 ? 'Position' : units.linear ? 'Travel' : 'Angle';
  const motion = axes.flatMap((axis, i) => motionRows(entity, axis, { units, place, index: axes.length > 1 ? i : undefined }));
  if (editable) {
    return { section: { key: 'joint_motion', title: 'Motion', rows: [...positions, ...motion] }, told: MOVING };
  }
  const rows = [
    ...textRow('Type', joint['kind']),
    linkRow('Parent link', joint['parent'], world),
    linkRow('Child link', joint['child'], world),
    ...motion,
    ...axes.flatMap((axis, i) => directionRows(axis, axes.length > 1 ? i : undefined)),
  ];
  return { section: { key: 'joint', title: 'Joint', rows }, told: ['joint', ...MOVING] };
}

/** How far a position is between its limits; undefined when there is no such limit. */
export function rangeOf(position: number, lower: number, upper: number, write: (value: number) => string): Range | undefined {
  if (!Number.isFinite(lower) || !Number.isFinite(upper) || upper <= lower) {
    return undefined;
  }
  const fraction = Math.min(1, Math.max(0, (position - lower) / (upper - lower)));
  return { lower: write(lower), upper: write(upper), fraction };
}

interface Axis {
  readonly units: Units;
  /** What its position is called. */
  readonly place: string;
  /** Which of several it is. */
  readonly index: number | undefined;
}

function motionRows(entity: Entity, axis: Readonly<Record<string, unknown>>, { units, place, index }: Axis): Row[] {
  const suffix = index === undefined ? '' : ` ${index + 1}`;
  const at = (name: string): number | undefined => readNumbers(entity.component(name))?.[index ?? 0];
  return [
    ...positionRows(`${place}${suffix}`, at('joint_position'), readMap(axis['limits']) ?? {}, units),
    ...measuredRows(`Velocity${suffix}`, at('joint_velocity'), units.velocity),
    ...measuredRows(`Effort${suffix}`, at('joint_effort'), units.effort),
    ...commandRows(`Command${suffix}`, commandOf(entity, index ?? 0), units),
  ];
}

function directionRows(axis: Readonly<Record<string, unknown>>, index: number | undefined): Row[] {
  const direction = readVec3(axis['xyz']);
  return direction === undefined ? [] : [vectorRow(`Axis${index === undefined ? '' : ` ${index + 1}`}`, direction, '')];
}

function positionRows(label: string, position: number | undefined, limits: Readonly<Record<string, unknown>>, units: Units): Row[] {
  if (position === undefined) {
    return [];
  }
  const write = units.linear ? formatShort : formatDegrees;
  const { lower, upper } = limits;
  const range =
    typeof lower === 'number' && typeof upper === 'number' ? rangeOf(position, lower, upper, write) : undefined;
  const shared = {
    label,
    text: units.linear ? formatNumber(position) : formatDegrees(position),
    unit: units.linear ? 'm' : '°',
    hint: units.linear ? `${position} m` : `${formatNumber(position, 4)} rad`,
    copy: String(position),
  };
  return [range === undefined ? { kind: 'number', ...shared } : { kind: 'range', ...shared, range }];
}

function measuredRows(label: string, value: number | undefined, unit: string): Row[] {
  return value === undefined
    ? []
    : [{ kind: 'number', label, text: formatNumber(value), unit, hint: `${value} ${unit}`, copy: String(value) }];
}

/** What an axis is told to do, in the unit of what it is told; nothing when it is free. */
function commandRows(label: string, command: unknown, units: Units): Row[] {
  const [kind, body] = Object.entries(readMap(command) ?? {})[0] ?? [];
  const { target, effort } = readMap(body) ?? {};
  const goal = typeof target === 'number' ? target : effort;
  if (kind === undefined || typeof goal !== 'number') {
    return [];
  }
  const written = {
    position: units.linear ? `${formatNumber(goal)} m` : `${formatDegrees(goal)} °`,
    velocity: `${formatNumber(goal)} ${units.velocity}`,
    effort: `${formatNumber(goal)} ${units.effort}`,
  };
  const text = kind in written ? written[kind as keyof typeof written] : formatNumber(goal);
  return [{ kind: 'text', label, text: `${kind} ${text}`, copy: String(goal) }];
}

function commandOf(entity: Entity, axis: number): unknown {
  const commands: unknown = entity.component('joint_command');
  return Array.isArray(commands) ? commands[axis] : undefined;
}

function linkRow(label: string, id: unknown, world: World): Row {
  const link = typeof id === 'number' ? world.entity(id) : undefined;
  return link === undefined
    ? { kind: 'text', label, text: 'world' }
    : { kind: 'entity', label, id: link.id, name: link.name };
}

function unitsOf(kind: unknown): Units {
  return kind === 'prismatic'
    ? { linear: true, velocity: 'm/s', effort: 'N' }
    : { linear: false, velocity: 'rad/s', effort: 'N m' };
}
