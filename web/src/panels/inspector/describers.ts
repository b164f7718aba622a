/** One function for each well-known component. Others are shown as they are. */
import { formatShort, humanize } from '../../lib/format';
import {
  readColor, readMap, readMaps, readMaterial, readNumbers, readPose, readVec3,
} from '../../world/components';
import type { Row, Subject } from './section';
import { driveRows, itemRows, sourceRows, stateRows } from './script';
import { colorRow, flagRow, liveVectorRow, numberRow, poseRows, textRow, treeRow, vectorRow } from './rows';

type Fields = Readonly<Record<string, unknown>>;

export interface Describer {
  (value: unknown, subject: Subject): readonly Row[] | undefined;
  readonly title: string;
}

/** In the order in which people look for them. */
export const DESCRIBERS: Readonly<Record<string, Describer>> = {
  clock: titled('Clock', ofMap(clockRows)),
  gravity: titled('Gravity', (value) => ofVector(value, 'Gravity', 'm/s²')),
  current_profile: titled('Physics', (value) => rowsOrNone(textRow('Profile', value))),
  twist: titled('Velocity', ofMap(twistRows)),
  geometry: titled('Geometry', geometryRows),
  material: titled('Material', materialRows),
  visual: titled('Appearance', ofMap(flatRows)),
  light: titled('Light', ofMap(lightRows)),
  inertial: titled('Inertia', ofMap(inertialRows)),
  link: titled('Body', ofMap(linkRows)),
  model: titled('Model', ofMap(modelRows)),
  canonical_link: titled('Canonical link', entityRows),
  surface: titled('Surface', ofMap(surfaceRows)),
  sensor: titled('Sensor', ofMap(sensorRows)),
  plugin: titled('Plugin', ofMap(pluginRows)),
  script_state: titled('Script remembers', ofMap((memory) => stateRows(memory, (name, value) => fieldRows(name, value, '')))),
  script_items: titled('Script shows', itemRows),
  script_drives: titled('Script drives', driveRows),
  script_source: titled('Script', ofMap(sourceRows)),
  scene: titled('Scene', ofMap(flatRows)),
};

function clockRows(clock: Fields): Row[] {
  return [
    ...numberRow('Simulated time', secs(clock['sim_time']), 's'),
    ...numberRow('Iterations', clock['iterations']),
    ...numberRow('Step size', secs(clock['step_size']), 's'),
  ];
}

function twistRows(twist: Fields): Row[] {
  const linear = readVec3(twist['linear']);
  const angular = readVec3(twist['angular']);
  return [
    ...(linear ? [liveVectorRow('Linear', linear, 'm/s')] : []),
    ...(angular ? [liveVectorRow('Angular', angular, 'rad/s')] : []),
  ];
}

function geometryRows(value: unknown): readonly Row[] | undefined {
  if (typeof value === 'string') {
    return [{ kind: 'text', label: 'Shape', text: value }];
  }
  const [shape, body] = Object.entries(readMap(value) ?? {})[0] ?? [];
  if (shape === undefined) {
    return undefined;
  }
  const rows = Object.entries(readMap(body) ?? {}).flatMap(([name, field]) => {
    const unit = ['scale', 'normal'].includes(name) ? '' : 'm';
    return fieldRows(name, field, unit);
  });
  return [{ kind: 'text', label: 'Shape', text: shape }, ...rows];
}

function materialRows(value: unknown): readonly Row[] | undefined {
  const material = readMaterial(value);
  if (material === undefined) {
    return undefined;
  }
  const pbr = readMap(readMap(value)?.['pbr']) ?? {};
  return [
    colorRow('Diffuse', material.diffuse),
    colorRow('Ambient', material.ambient),
    colorRow('Specular', material.specular),
    colorRow('Emissive', material.emissive),
    ...Object.entries(pbr).flatMap(([name, field]) => fieldRows(name, field, '')),
    ...textRow('Script', readMap(value)?.['script']),
  ];
}

function lightRows(light: Fields): Row[] {
  const spot = light['kind'] === 'spot' ? (readMap(light['spot']) ?? {}) : {};
  const direction = readVec3(light['direction']);
  return [
    ...textRow('Type', light['kind']),
    ...['diffuse', 'specular'].flatMap((name) => fieldRows(name, light[name], '')),
    ...numberRow('Intensity', light['intensity']),
    ...(direction && light['kind'] !== 'point' ? [vectorRow('Direction', direction, '')] : []),
    ...numberRow('Range', readMap(light['attenuation'])?.['range'], 'm'),
    ...numberRow('Inner angle', spot['inner_angle'], 'rad'),
    ...numberRow('Outer angle', spot['outer_angle'], 'rad'),
    ...flagRow('Casts shadows', light['cast_shadows']),
  ];
}

function inertialRows(inertial: Fields): Row[] {
  const com = readPose(inertial['link_from_com']);
  const moments = readVec3(inertial['moments']);
  const products = readVec3(inertial['products']);
  const turned = com !== undefined && Math.abs(com.rotation[3]) < 1 - 1e-9;
  return [
    ...numberRow('Mass', inertial['mass_kg'], 'kg'),
    ...(com && !turned ? [vectorRow('Centre of mass', com.position, 'm')] : []),
    ...(com && turned ? poseRows(com, 'Centre of mass', 'Inertia axes') : []),
    ...(moments ? [vectorRow('Moments', moments, 'kg m²', ['xx', 'yy', 'zz'])] : []),
    ...(products?.some((value) => value !== 0) === true
      ? [vectorRow('Products', products, 'kg m²', ['xy', 'xz', 'yz'])]
      : []),
  ];
}

function linkRows(link: Fields): Row[] {
  const decay = readMap(link['velocity_decay']) ?? {};
  return [
    ...flagRow('Gravity', link['gravity']),
    ...flagRow('Kinematic', link['kinematic']),
    ...flagRow('Self-collision', link['self_collide']),
    ...numberRow('Linear decay', decay['linear'], '1/s'),
    ...numberRow('Angular decay', decay['angular'], '1/s'),
  ];
}

/** In the words of its editors, so that who may only look reads the same. */
function modelRows(model: Fields): Row[] {
  const words: Readonly<Record<string, string>> = { is_static: 'Static', self_collide: 'Self-collide', allow_auto_disable: 'May sleep', enable_wind: 'Wind' };
  return Object.entries(model).flatMap(([name, value]) => fieldRows(words[name] ?? name, value, ''));
}

function surfaceRows(surface: Fields): Row[] {
  const friction = readMap(surface['friction']) ?? {};
  const bounce = readMap(surface['bounce']) ?? {};
  const contact = readMap(surface['contact']) ?? {};
  const mask = contact['collide_bitmask'];
  return [
    ...numberRow('Friction', friction['mu']),
    ...numberRow('Friction 2', friction['mu2']),
    ...numberRow('Torsional friction', friction['torsional']),
    ...numberRow('Restitution', bounce['restitution']),
    ...numberRow('Contact stiffness', contact['kp'], 'N/m'),
    ...numberRow('Contact damping', contact['kd'], 'N s/m'),
    ...(typeof mask === 'number' ? textRow('Collide mask', `0x${mask.toString(16)}`) : []),
  ];
}

function sensorRows(sensor: Fields): Row[] {
  return [...textRow('Type', sensor['kind']), ...numberRow('Rate', sensor['update_rate_hz'], 'Hz')];
}

function pluginRows(plugin: Fields): Row[] {
  const body: unknown = plugin['body'];
  return [
    ...textRow('System', plugin['name']),
    ...textRow('Library', plugin['filename']),
    ...(Array.isArray(body) && body.length > 0 ? [treeRow(elementsTree(body), 'Parameters')] : []),
  ];
}

function entityRows(value: unknown, { world }: Subject): readonly Row[] | undefined {
  const entity = typeof value === 'number' ? world.entity(value) : undefined;
  return entity && [{ kind: 'entity', label: 'Canonical link', id: entity.id, name: entity.name }];
}

function flatRows(fields: Fields): Row[] {
  return Object.entries(fields).flatMap(([name, value]) => fieldRows(name, value, ''));
}

/** A row for a field of any kind; nothing for what is absent. */
export function fieldRows(name: string, value: unknown, unit: string): Row[] {
  const label = humanize(name);
  const color = readColor(value);
  const numbers = readNumbers(value);
  if (value === null || value === undefined || value === '') {
    return [];
  }
  if (color !== undefined) {
    return [colorRow(label, color)];
  }
  if (numbers !== undefined && numbers.length <= 3) {
    return [vectorRow(label, numbers, unit)];
  }
  if (typeof value === 'object') {
    return [treeRow(value, label)];
  }
  return [...numberRow(label, value, unit), ...textRow(label, value), ...flagRow(label, value)];
}

/** Elements of a world file as a plain tree: name to text, or to what is inside. */
export function elementsTree(elements: readonly unknown[]): Record<string, unknown> {
  const tree: Record<string, unknown> = {};
  for (const element of readMaps(elements)) {
    const children: unknown[] = Array.isArray(element['children']) ? element['children'] : [];
    const attributes: unknown[] = Array.isArray(element['attributes']) ? element['attributes'] : [];
    const written = attributes.map((pair) => (Array.isArray(pair) ? pair.join('=') : '')).join(' ');
    const key = uniqueKey(tree, `${String(element['name'])}${written === '' ? '' : ` ${written}`}`);
    tree[key] = children.length > 0 ? elementsTree(children) : element['text'];
  }
  return tree;
}

function uniqueKey(tree: Readonly<Record<string, unknown>>, name: string): string {
  let key = name;
  for (let n = 2; key in tree; n += 1) {
    key = `${name} ${n}`;
  }
  return key;
}

function ofVector(value: unknown, label: string, unit: string): readonly Row[] | undefined {
  const vector = readVec3(value);
  return vector && [vectorRow(label, vector, unit)];
}

function ofMap(describe: (fields: Fields) => Row[]): (value: unknown) => readonly Row[] | undefined {
  return (value) => {
    const fields = readMap(value);
    return fields && rowsOrNone(describe(fields));
  };
}

function rowsOrNone(rows: readonly Row[]): readonly Row[] | undefined {
  return rows.length > 0 ? rows : undefined;
}

function secs(nanos: unknown): number | undefined {
  return typeof nanos === 'number' ? nanos / 1e9 : undefined;
}

function titled(title: string, describe: (value: unknown, subject: Subject) => readonly Row[] | undefined): Describer {
  return Object.assign((value: unknown, subject: Subject) => describe(value, subject), { title });
}

/** One line for a value of any kind. */
export function summarize(value: unknown): string {
  if (Array.isArray(value)) {
    const numbers = readNumbers(value);
    return numbers !== undefined && numbers.length <= 4
      ? numbers.map(formatShort).join('  ')
      : `${value.length} item${value.length === 1 ? '' : 's'}`;
  }
  if (value instanceof Uint8Array) {
    return `${value.length} bytes`;
  }
  switch (typeof value) {
    case 'number':
      return formatShort(value);
    case 'string':
      return value;
    case 'boolean':
    case 'bigint':
      return value.toString();
    default:
      return value === null || value === undefined ? 'none' : '';
  }
}
