/** Rows that several components share. */
import { formatDegrees, formatNumber, formatShort } from '../../lib/format';
import { rollPitchYaw, type Pose, type Vec3 } from '../../lib/pose';
import type { Color } from '../../world/components';
import type { Row } from './section';

const AXES = ['x', 'y', 'z'] as const;
const ANGLES = ['roll', 'pitch', 'yaw'] as const;

/** A vector that changes while one looks: always the same number of digits. */
export function liveVectorRow(label: string, vector: Vec3, unit: string): Row {
  const parts = vector.map((value, i) => ({
    name: AXES[i] ?? '',
    label: `${label} ${AXES[i] ?? ''}`,
    text: formatNumber(value),
    hint: `${String(value)} ${unit}`,
  }));
  return { kind: 'vector', label, unit, parts, copy: vector.join(' ') };
}

/** A vector out of a file: as short as it can be. */
export function vectorRow(label: string, vector: readonly number[], unit: string, names: readonly string[] = AXES): Row {
  const parts = vector.map((value, i) => ({
    name: names[i] ?? '',
    label: `${label} ${names[i] ?? ''}`,
    text: formatShort(value),
    hint: `${String(value)} ${unit}`.trim(),
  }));
  return { kind: 'vector', label, unit, parts, copy: vector.join(' ') };
}

/** Position in metres, then roll, pitch and yaw in degrees with radians beside them. */
export function poseRows(pose: Pose, positionLabel: string, rotationLabel: string): readonly Row[] {
  const angles = rollPitchYaw(pose.rotation);
  const parts = angles.map((angle, i) => ({
    name: ANGLES[i] ?? '',
    label: `${rotationLabel} ${ANGLES[i] ?? ''}`,
    text: formatDegrees(angle),
    hint: `${formatNumber(angle, 4)} rad`,
  }));
  return [
    liveVectorRow(positionLabel, pose.position, 'm'),
    { kind: 'vector', label: rotationLabel, unit: '°', parts, copy: angles.join(' ') },
  ];
}

export function numberRow(label: string, value: unknown, unit = ''): Row[] {
  return typeof value === 'number'
    ? [{ kind: 'number', label, text: formatShort(value), unit, copy: String(value) }]
    : [];
}

export function textRow(label: string, value: unknown): Row[] {
  return typeof value === 'string' && value !== '' ? [{ kind: 'text', label, text: value, copy: value }] : [];
}

export function flagRow(label: string, value: unknown): Row[] {
  return typeof value === 'boolean' ? [{ kind: 'flag', label, on: value }] : [];
}

export function colorRow(label: string, color: Color): Row {
  return { kind: 'color', label, color, copy: color.join(' ') };
}

export function treeRow(value: unknown, label = 'Value'): Row {
  return { kind: 'tree', label, value, copy: JSON.stringify(value, replaceBytes) };
}

function replaceBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? `${value.length} bytes` : value;
}
