import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';

import { ComponentField_Type as Type, ComponentFieldsSchema, FieldValueSchema } from '../protocol/generated/retake/msgs/component_pb';
import { fieldsIn, FieldTable } from './fields';
import { fieldValueMessage, fieldValueOf, sameValue, type FieldValue } from './fieldValue';

const table = FieldTable.from(
  create(ComponentFieldsSchema, {
    field: [
      { component: 'pose', field: '', label: 'Pose', type: Type.POSE, kind: ['model', 'link'] },
      { component: 'geometry', field: '', label: 'Shape', type: Type.CHOICE, choice: ['box', 'sphere', 'empty'], kind: ['visual', 'collision'] },
      { component: 'geometry', field: 'box.size', label: 'Size', type: Type.VECTOR, unit: 'm', kind: ['visual', 'collision'] },
      { component: 'geometry', field: 'sphere.radius', label: 'Radius', type: Type.NUMBER, unit: 'm', min: 0, kind: ['visual', 'collision'] },
      { component: 'joint', field: 'parent', label: 'Parent', type: Type.ENTITY, entityKind: 'link', optional: true, kind: ['joint'] },
      { component: 'joint', field: 'axes.*.limits.upper', label: 'Upper', type: Type.NUMBER, unit: 'rad|m', infinite: true, kind: ['joint'] },
      { component: 'material', field: 'diffuse', label: 'Diffuse', type: Type.COLOR, kind: ['visual'] },
      { component: 'visual', field: 'diffuse', label: 'Diffuse', type: Type.COLOR, kind: ['visual'] },
      { component: 'visual', field: 'cast_shadows', label: 'Shadows', type: Type.FLAG, kind: ['visual'] },
      { component: 'visual', field: 'pbr', label: 'Pbr', type: Type.FLAG, kind: ['visual'] },
      { component: 'visual', field: 'pbr.metalness', label: 'Metalness', type: Type.NUMBER, kind: ['visual'] },
      { component: 'visual', field: 'pbr.map', label: 'Map', type: Type.TEXT, optional: true, kind: ['visual'] },
      { component: 'joint_position', field: '*', label: 'Position', type: Type.NUMBER, kind: ['joint'] },
      { component: 'plugin', field: 'body', label: 'Parameters', type: Type.TEXT, kind: ['plugin'] },
      { component: 'outline', field: 'points.*', label: 'Point', type: Type.VECTOR, optional: true, kind: ['visual'] },
      // As of a newer host.
      { component: 'visual', field: 'future', label: 'Future', type: Type.UNSPECIFIED, kind: ['visual'] },
    ],
  }),
);

/** The fields of a component as text. */
function check(kind: string, component: string, value: unknown): string[] {
  return fieldsIn(table.of(kind, component), value).map((at) => {
    const { type, ...rest } = at.value;
    return `${table.spokenName(at)}: ${type} ${Object.values(rest).join(' ')}`.trim();
  });
}

describe('the fields of a component', () => {
  it('are those that its value has', () => {
    expect(check('visual', 'geometry', { box: { size: [1, 2, 3] } })).toEqual(['geometry: text box', 'box size: numbers 1,2,3']);
    expect(check('visual', 'geometry', { sphere: { radius: 2 } })).toEqual(['geometry: text sphere', 'sphere radius: number 2']);
    expect(check('visual', 'geometry', 'empty')).toEqual(['geometry: text empty']);
    expect(check('visual', 'geometry', undefined)).toEqual([]);
    expect(check('light', 'geometry', 'empty')).toEqual([]);
  });

  it('have one for each place in a list', () => {
    const axes = [{ limits: { upper: 1 } }, { limits: { upper: Number.POSITIVE_INFINITY } }];
    expect(check('joint', 'joint', { parent: null, axes })).toEqual([
      'parent: none', 'axes 0 limits upper: number 1', 'axes 1 limits upper: number Infinity',
    ]);
    const at = fieldsIn(table.of('joint', 'joint'), { parent: 4, axes })[2];
    expect(at).toMatchObject({ path: 'axes.1.limits.upper', places: [{ index: 1, count: 2 }] });
  });

  it('are left out when the value is of another type', () => {
    expect(check('visual', 'visual', { cast_shadows: 'yes' })).toEqual([]);
    expect(check('model', 'pose', { position: [0, 0] })).toEqual([]);
    expect(check('model', 'pose', { position: [1, 2, 3], rotation: [0, 0, 0, 1] })).toEqual(['pose: numbers 1,2,3,0,0,0,1']);
  });

  it('of a part are there when the part is', () => {
    expect(check('visual', 'visual', { pbr: null })).toEqual(['pbr: flag false']);
    expect(check('visual', 'visual', { pbr: { metalness: 0.5, map: null } })).toEqual(['pbr: flag true', 'pbr metalness: number 0.5', 'pbr map: none']);
    expect(check('visual', 'visual', {})).toEqual([]);
  });

  it('in a list that can grow have one more', () => {
    expect(check('visual', 'outline', { points: [[1, 2], [3, 4]] })).toEqual(['points 0: numbers 1,2', 'points 1: numbers 3,4', 'points 2: none']);
    expect(fieldsIn(table.of('visual', 'outline'), { points: [[1, 2]] })[1]).toMatchObject({ path: 'points.1', first: { type: 'numbers', numbers: [1, 2] } });
  });

  it('without a word of their own are called by their component', () => {
    expect(check('joint', 'joint_position', [0.5, 1])).toEqual(['joint position 0: number 0.5', 'joint position 1: number 1']);
  });

  it('can be elements, written as text', () => {
    const leaf = (name: string, text: string) => ({ name, attributes: [], text, children: [] });
    const gains = { name: 'gains', attributes: [['axis', '"x"']], text: '', children: [leaf('p', '1 < 2'), leaf('i', '')] };
    const text = 'hello\n<joint>elbow</joint>\n<gains axis="&quot;x&quot;">\n  <p>1 &lt; 2</p>\n  <i/>\n</gains>';
    expect(check('plugin', 'plugin', { body: [leaf('', 'hello'), leaf('joint', 'elbow'), gains] })).toEqual([`body: text ${text}`]);
    expect(check('plugin', 'plugin', { body: [] })).toEqual(['body: text']);
    expect(check('plugin', 'plugin', { body: [1] })).toEqual([]);
  });

  it('are called by their component too when another has one of the same name', () => {
    const white = { diffuse: [1, 1, 1, 1], cast_shadows: true };
    expect(check('visual', 'material', white)).toEqual(['material diffuse: numbers 1,1,1,1']);
    expect(check('visual', 'visual', white)).toEqual(['visual diffuse: numbers 1,1,1,1', 'cast shadows: flag true']);
  });
});

it('finds a field by a path with positions', () => {
  expect(table.at('joint', 'axes.1.limits.upper')?.label).toBe('Upper');
  expect(table.at('geometry', '')?.label).toBe('Shape');
  expect(table.at('joint', 'axes.x.limits.upper')).toBeUndefined();
  expect(table.at('joint', 'axes.1.limits')).toBeUndefined();
  expect(table.at('nothing', '')).toBeUndefined();
});

it('lists what an entity can have', () => {
  expect(table.components('visual')).toEqual(['geometry', 'material', 'visual', 'outline']);
  expect(FieldTable.EMPTY.components('visual')).toEqual([]);
});

describe('values', () => {
  const values: readonly FieldValue[] = [
    { type: 'number', number: Number.NEGATIVE_INFINITY },
    { type: 'flag', flag: false },
    { type: 'text', text: '' },
    { type: 'numbers', numbers: [1, 0.1] },
    { type: 'entity', entity: 7 },
    { type: 'none' },
  ];

  it('survive the way to the host and back', () => {
    expect(values.map((value) => fieldValueOf(create(FieldValueSchema, fieldValueMessage(value))))).toEqual(values);
    expect(fieldValueOf(create(FieldValueSchema))).toBeUndefined();
    expect(fieldValueOf(undefined)).toBeUndefined();
  });

  it('are the same only as themselves', () => {
    const same = values.map((a) => values.map((b) => sameValue(a, b)));
    expect(same).toEqual(values.map((_, i) => values.map((_, j) => i === j)));
    expect(sameValue({ type: 'numbers', numbers: [1, 2] }, { type: 'numbers', numbers: [1, 3] })).toBe(false);
  });
});
