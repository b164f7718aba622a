import { describe as group, expect, it } from 'vitest';

import { PoseStore } from '../../world/poses';
import { FieldTable } from '../../world/fields';
import { stateOf, tableOf } from '../../world/testing';
import { World } from '../../world/world';
import { elementsTree, summarize } from './describers';
import { addableComponents } from './editors';
import { rangeOf } from './joint';
import { describe } from './model';
import { isBare, type Row } from './section';

const pose = { position: [1, 2, 0.5], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] };
const limits = { lower: -1, upper: 1, effort: 10, velocity: Number.POSITIVE_INFINITY };

const world = new World();
world.apply(
  stateOf({
    1: { kind: 'world', name: 'w', gravity: [0, 0, -9.8], clock: { sim_time: 2e9, iterations: 2000, step_size: 1e6 } },
    2: { kind: 'model', name: 'arm', parent: 1, pose, model: { is_static: false } },
    3: { kind: 'link', name: 'base', parent: 2, pose, inertial: { mass_kg: 2, moments: [1, 1, 1] } },
    4: {
      kind: 'joint', name: 'elbow', parent: 2, pose,
      joint: { kind: 'revolute', parent: null, child: 3, axes: [{ xyz: [0, 0, 1], limits }] },
      joint_position: [0.5], joint_velocity: [0.1], joint_effort: [-3], joint_command: [{ position: { target: 1, stiffness: 10 } }],
    },
    5: { kind: 'visual', name: 'v', parent: 3, geometry: { box: { size: [1, 0.5, 2] } }, wobble_state: { phase: 1 }, extras: [] },
    6: { kind: 'joint', name: 'slider', parent: 2, joint: { kind: 'prismatic', parent: 3, child: 3, axes: [{}] }, joint_position: [0.25], joint_command: ['free'] },
  }),
);

/** Sections as text: the title, then one line for each row. */
function check(id: number, table = FieldTable.EMPTY): string[] {
  const entity = world.entity(id);
  if (entity === undefined) {
    return [];
  }
  const worldPose = new PoseStore(world).worldPose(id);
  return describe({ entity, world, worldPose, table }).flatMap(({ title, rows }) => [`[${title}]`, ...rows.map(line)]);
}

function line(row: Row): string {
  switch (row.kind) {
    case 'vector':
      return `${row.label}: ${row.parts.map((part) => `${part.name} ${part.text}`).join(', ')} ${row.unit}`.trim();
    case 'number':
      return `${row.label}: ${row.text} ${row.unit}`.trim();
    case 'range':
      return `${row.label}: ${row.text} ${row.unit} of ${row.range.lower} to ${row.range.upper}`;
    case 'text':
      return `${row.label}: ${row.text}`;
    case 'flag':
      return `${row.label}: ${row.on ? 'yes' : 'no'}`;
    case 'color':
      return `${row.label}: ${row.color.join(' ')}`;
    case 'entity':
      return `${row.label}: → ${row.name}`;
    case 'tree':
      return `${row.label}: ${JSON.stringify(row.value)}`;
    case 'editor': {
      const { type, ...value } = row.mirror;
      const options = row.options.length > 0 ? ` of ${row.options.map(({ name }) => name).join(' ')}` : '';
      return `${row.label} <${row.name}> ${type} ${Object.values(value).join(' ')} ${row.unit}`.trim() + options;
    }
  }
}

group('the inspector tells', () => {
  it('a model by where it stands', () => {
    expect(check(2)).toEqual([
      '[Pose]', 'Position: x 1.000, y 2.000, z 0.500 m', 'Rotation: roll 0.0, pitch 0.0, yaw 90.0 °',
      '[Model]', 'Static: no',
    ]);
  });

  it('a link by its mass and by both its poses', () => {
    expect(check(3)).toEqual([
      '[Pose in arm]', 'Position: x 1.000, y 2.000, z 0.500 m', 'Rotation: roll 0.0, pitch 0.0, yaw 90.0 °',
      '[Pose in the world]', 'World position: x −1.000, y 3.000, z 1.000 m', 'World rotation: roll 0.0, pitch 0.0, yaw 180.0 °',
      '[Inertia]', 'Mass: 2 kg', 'Moments: xx 1, yy 1, zz 1 kg m²',
    ]);
  });

  it('a revolute joint in degrees, with its limits and its links', () => {
    expect(check(4).slice(6)).toEqual([
      '[Joint]', 'Type: revolute', 'Parent link: world', 'Child link: → base',
      'Position: 28.6 ° of −57.3 to 57.3', 'Velocity: 0.100 rad/s', 'Effort: −3.000 N m', 'Command: position 57.3 °', 'Axis: x 0, y 0, z 1',
    ]);
  });

  it('a prismatic joint in metres', () => {
    expect(check(6)).toEqual(['[Joint]', 'Type: prismatic', 'Parent link: → base', 'Child link: → base', 'Position: 0.250 m']);
  });

  it('what it does not know as it is, and leaves out empty lists', () => {
    expect(check(5)).toEqual(['[Geometry]', 'Shape: box', 'Size: x 1, y 0.5, z 2 m', '[Wobble state]', 'Value: {"phase":1}']);
  });

  it('the world by its clock and gravity', () => {
    expect(check(1)).toEqual([
      '[Clock]', 'Simulated time: 2 s', 'Iterations: 2000', 'Step size: 0.001 s',
      '[Gravity]', 'Gravity: x 0, y 0, z −9.8 m/s²',
    ]);
  });
});

group('what the table names can be edited', () => {
  const table = tableOf([
    { component: 'name', path: '', label: 'Name', type: 'text', kinds: ['model', 'link'] },
    { component: 'pose', path: '', label: 'Pose', type: 'pose', kinds: ['model', 'link'] },
    { component: 'model', path: 'is_static', label: 'Static', type: 'flag', kinds: ['model'] },
    { component: 'joint', path: 'kind', label: 'Kind', type: 'choice', choices: ['revolute', 'prismatic'], kinds: ['joint'] },
    { component: 'joint', path: 'parent', label: 'Parent', type: 'entity', entityKind: 'link', optional: true, kinds: ['joint'] },
    { component: 'joint', path: 'axes.*.limits.upper', label: 'Upper limit', type: 'number', unit: 'rad|m', infinite: true, kinds: ['joint'] },
    { component: 'joint_position', path: '*', label: 'Position', type: 'number', unit: 'rad|m', kinds: ['joint'] },
    { component: 'geometry', path: '', label: 'Shape', type: 'choice', choices: ['box', 'sphere'], kinds: ['visual'] },
    { component: 'geometry', path: 'sphere.radius', label: 'Radius', type: 'number', unit: 'm', kinds: ['visual'] },
    { component: 'material', path: 'diffuse', label: 'Diffuse', type: 'color', kinds: ['visual'] },
  ]);

  it('in place of what could only be read', () => {
    expect(check(2, table)).toEqual(['[Pose]', 'Pose <pose> numbers 1,2,0.5,0,0,0.7071067811865476,0.7071067811865476', '[Model]', 'Static <is static> flag false']);
  });

  it('of a joint beside how it moves, with links to choose from', () => {
    expect(check(4, table).slice(6)).toEqual([
      '[Motion]', 'Position <joint position 0> number 0.5 rad', 'Angle: 28.6 ° of −57.3 to 57.3', 'Velocity: 0.100 rad/s', 'Effort: −3.000 N m', 'Command: position 57.3 °',
      '[Joint]', 'Kind <kind> text revolute', 'Parent <parent> none of base', 'Upper limit <axes 0 limits upper> number 1 rad',
      'Child: 3', 'Axes 0 xyz: x 0, y 0, z 1', 'Axes 0 limits lower: −1', 'Axes 0 limits effort: 10', 'Axes 0 limits velocity: ∞',
    ]);
  });

  it('with what else the component says, for reading', () => {
    expect(check(5, table).slice(0, 3)).toEqual(['[Geometry]', 'Shape <geometry> text box', 'Box: {"size":[1,0.5,2]}']);
  });

  it('and what is not there can be added', () => {
    const visual = world.entity(5);
    expect(visual && addableComponents({ entity: visual, table })).toEqual([{ component: 'material', path: 'diffuse', value: { type: 'numbers', numbers: [1, 1, 1, 1] } }]);
  });
});

it('limits that are infinite are no range', () => {
  expect(rangeOf(0, Number.NEGATIVE_INFINITY, 1, String)).toBeUndefined();
  expect(rangeOf(9, 0, 2, String)).toEqual({ lower: '0', upper: '2', fraction: 1 });
});

it('parameters of plugins become a tree without losing doubles', () => {
  const leaf = (name: string, text: string) => ({ name, attributes: [], text, children: [] });
  const nested = { name: 'pid', attributes: [['axis', 'x']], text: '', children: [leaf('p', '1')] };
  expect(elementsTree([leaf('joint', 'a'), leaf('joint', 'b'), nested])).toEqual({
    joint: 'a', 'joint 2': 'b', 'pid axis=x': { p: '1' },
  });
});

it.each([
  [[1, 2, 3], '1  2  3'],
  [[{}], '1 item'],
  [null, 'none'],
  [new Uint8Array(3), '3 bytes'],
  [{ a: 1 }, ''],
  [true, 'true'],
])('%j in one line is %s', (value, text) => {
  expect(summarize(value)).toBe(text);
});

it('a section of one row that says its title needs no heading', () => {
  const row = (label: string): Row => ({ kind: 'text', label, text: '' });
  expect(isBare({ key: 'parent', title: 'Parent', rows: [row('Parent')] })).toBe(true);
  expect(isBare({ key: 'parent', title: 'Parent', rows: [row('Parent')], folded: true })).toBe(false);
  expect(isBare({ key: 'model', title: 'Model', rows: [row('Static')] })).toBe(false);
  expect(isBare({ key: 'model', title: 'Model', rows: [row('Model'), row('Static')] })).toBe(false);
});

it('a script is told in words: what it remembers, shows and drives', () => {
  const scripted = new World();
  scripted.apply(stateOf({
    1: { kind: 'model', name: 'picker' },
    2: { kind: 'joint', name: 'lift', parent: 1 },
    3: {
      kind: 'plugin', name: 'pick', parent: 1,
      script_state: { random: 17, state: { phase: 'hold', target: 0.25 } },
      script_items: [-0.5, 2], script_item_names: ['error', 'integral'],
      script_drives: [[2, 0], [99, 0]],
      script_source: { uri: 'scripts/pick.luau', fault: '', reloads: 0, text: 'x' },
    },
  }));
  const entity = scripted.entity(3);
  const sections = entity === undefined ? [] : describe({ entity, world: scripted, table: FieldTable.EMPTY, worldPose: new PoseStore(scripted).worldPose(3) });
  const told = sections.map(({ title, rows }) => `${title}: ${rows.map((row) => `${row.label} ${'text' in row ? row.text : 'name' in row ? row.name : ''}`).join(', ')}`);
  expect(told).toEqual([
    'Script remembers: Phase hold, Target 0.25', 'Script shows: error −0.5, integral 2', 'Script drives: Joint 1 lift', 'Script: File scripts/pick.luau, Text x',
  ]);
});
