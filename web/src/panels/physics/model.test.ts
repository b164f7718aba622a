import { expect, it } from 'vitest';

import type { Physics, Profile, SettingKey } from '../../world/physics';
import { Kind, physicsFrom, type PhysicsInit } from '../../world/physicsTesting';
import {
  differencesOf, fileName, fileOf, freeName, isSame, nameProblem, positionOf, rangeProblem, settingsOf, shown, sliderOf, valueAt, vectorOf,
} from './model';

const STATE: PhysicsInit = {
  current: 'careful',
  inForce: [{ key: 'type', value: 'rapier' }, { key: 'max_step_size', value: '0.001' }, { key: 'rapier/substeps', value: '4' }],
  keys: [
    { key: 'type', kind: Kind.CHOICE, choices: ['rapier', 'ode'], defaultValue: 'rapier', engines: ['rapier'] },
    { key: 'max_step_size', kind: Kind.NUMBER, unit: 's', min: 1e-9, max: 0.1, defaultValue: '0.001', engines: ['rapier'], allowed: 'a number from 1e-9 to 0.1 s' },
    { key: 'real_time_factor', kind: Kind.NUMBER, min: 0.001, max: 1000, orZero: true, defaultValue: '1', engines: ['rapier'], allowed: '0, or a number from 0.001 to 1000' },
    { key: 'gravity', kind: Kind.VECTOR, unit: 'm/s²', defaultValue: '', engines: ['rapier'] },
    { key: 'rapier/substeps', kind: Kind.COUNT, min: 1, max: 64, defaultValue: '2', engines: ['rapier'], allowed: 'a whole number from 1 to 64' },
    { key: 'rapier/sleeping', kind: Kind.FLAG, defaultValue: 'true', engines: ['rapier'] },
    { key: 'ode/solver/iters', kind: Kind.COUNT, min: 0, max: 1e6, defaultValue: '50' },
    { key: 'ode/solver/sor', kind: Kind.NUMBER, min: 0, max: 1e12, defaultValue: '1.3' },
  ],
  profiles: [
    {
      name: 'careful', isDefault: true, sdf: '<physics name="careful" type="ode">\n  <max_step_size>1e-3</max_step_size>\n</physics>\n',
      values: [
        { key: 'type', value: 'ode', written: true }, { key: 'max_step_size', value: '1e-3', written: true }, { key: 'real_time_factor', value: '1' },
        { key: 'gravity', value: '' }, { key: 'rapier/substeps', value: '4', written: true }, { key: 'ode/solver/iters', value: '50', written: true },
      ],
      notUsed: [{ key: 'type', value: 'ode', reason: 'rapier stands in' }, { key: 'ode/solver/iters', value: '50', reason: 'no engine here uses it' }, { key: 'wind', value: '3', reason: 'unknown' }],
    },
    { name: 'quick', sdf: '<physics name="quick"/>\n', values: [{ key: 'type', value: 'rapier' }, { key: 'max_step_size', value: '0.0010' }, { key: 'rapier/substeps', value: '1' }] },
  ],
};

function made(): { physics: Physics; careful: Profile; quick: Profile; key: (name: string) => SettingKey } {
  const physics = physicsFrom(STATE);
  const [careful, quick] = physics.profiles;
  if (careful === undefined || quick === undefined) {
    throw new Error('two profiles were made');
  }
  const key = (name: string): SettingKey => {
    const found = physics.keys.find((known) => known.key === name);
    if (found === undefined) {
      throw new Error(`no key ${name}`);
    }
    return found;
  };
  return { physics, careful, quick, key };
}

it('groups settings by engine, and folds away what would have no effect', () => {
  const { physics, careful } = made();
  const { groups, unusedRows, unknown } = settingsOf(physics, careful);
  expect(groups.map(({ title, rows }) => [title, ...rows.map(({ label }) => label)])).toEqual([
    ['Every engine', 'Type', 'Max step size', 'Real time factor', 'Gravity'],
    ['Rapier', 'Substeps', 'Sleeping'],
    ['ODE', 'Iters'],
  ]);
  expect(unusedRows.map(({ key }) => key.key)).toEqual(['ode/solver/sor']);
  expect(unknown).toEqual([{ key: 'wind', value: '3', reason: 'unknown' }]);
});

it('tells what is asked for from what is in force', () => {
  const { physics, careful, quick } = made();
  const rows = settingsOf(physics, careful).groups.flatMap((group) => group.rows);
  expect(rows.map(({ key, inForce, overruled, notUsed }) => [key.key, inForce, overruled, notUsed]).slice(0, 5)).toEqual([
    ['type', 'rapier', true, 'rapier stands in'],
    ['max_step_size', '0.001', false, undefined],
    ['real_time_factor', undefined, false, undefined],
    ['gravity', undefined, false, undefined],
    ['rapier/substeps', '4', false, undefined],
  ]);
  const others = settingsOf(physics, quick).groups.flatMap((group) => group.rows);
  expect(others.every(({ inForce }) => inForce === undefined)).toBe(true);
});

it('finds what differs between two profiles, not how numbers are written', () => {
  const { physics, careful, quick } = made();
  const settings = settingsOf(physics, careful, quick);
  const different = settings.groups.flatMap(({ rows }) => rows).filter(({ differs }) => differs);
  expect(different.map(({ key, value, other }) => [key.key, value, other])).toEqual([
    ['type', 'ode', 'rapier'],
    ['rapier/substeps', '4', '1'],
  ]);
  expect(differencesOf(settings)).toBe(2);
  expect([isSame('0 0 -9.80', '0 0 -9.8'), isSame('', '0'), isSame('1 2', '1 2 3'), isSame('rapier', 'tpe')]).toEqual([true, false, false, false]);
});

it('sliders go over the whole range, by ratios when it is wide', () => {
  const { key } = made();
  const [step, substeps] = [sliderOf(key('max_step_size')), sliderOf(key('rapier/substeps'))];
  expect([step?.scale, substeps?.scale, substeps?.steps]).toEqual(['ratio', 'even', 63]);
  expect(sliderOf(key('gravity'))).toBeUndefined();
  expect(sliderOf(key('ode/solver/sor'))).toBeUndefined();
  for (const slider of [step, substeps]) {
    if (slider === undefined) {
      throw new Error('it has a slider');
    }
    expect([valueAt(slider, 0), valueAt(slider, slider.steps)]).toEqual([slider.min, slider.max]);
    for (let at = 0; at <= slider.steps; at += 1) {
      // Rounding to few digits moves a value by less than a step of the slider.
      expect(Math.abs(positionOf(slider, valueAt(slider, at)) - at)).toBeLessThanOrEqual(1);
    }
  }
  expect(step && valueAt(step, positionOf(step, 0.001))).toBeCloseTo(0.001, 4);
});

it('says what is allowed', () => {
  const { key } = made();
  expect(rangeProblem(key('real_time_factor'), 0)).toBeUndefined();
  expect(rangeProblem(key('real_time_factor'), 0.0001)).toBe('It takes 0, or a number from 0.001 to 1000');
  expect(rangeProblem(key('rapier/substeps'), 2.5)).toBe('It takes a whole number from 1 to 64');
  expect(rangeProblem(key('max_step_size'), Number.NaN)).toBe('It takes a number from 1e-9 to 0.1 s');
  expect(rangeProblem(key('rapier/substeps'), 64)).toBeUndefined();
});

it('writes and reads values', () => {
  const { key } = made();
  expect([shown('0.001', key('max_step_size')), shown('true', key('rapier/sleeping')), shown('', key('gravity'))]).toEqual(['0.001 s', 'on', 'The world’s']);
  expect([vectorOf('0 0  -9.8'), vectorOf(''), vectorOf('1 2'), vectorOf('1 2 x')]).toEqual([[0, 0, -9.8], undefined, undefined, undefined]);
});

it('names profiles and files', () => {
  const { physics, careful, quick } = made();
  expect(nameProblem(' ', physics.profiles)).toBe('Give it a name');
  expect(nameProblem('quick ', physics.profiles)).toBe('There is a profile named quick already');
  expect(nameProblem('new', physics.profiles)).toBeUndefined();
  expect([freeName('tuned', physics.profiles), freeName('quick', physics.profiles)]).toEqual(['tuned', 'quick_2']);
  expect(fileName('a / b')).toBe('a-b.sdf');
  expect(fileOf([careful, quick])).toBe(`<?xml version="1.0"?>
<sdf version="1.12">
  <physics name="careful" type="ode">
    <max_step_size>1e-3</max_step_size>
  </physics>
  <physics name="quick"/>
</sdf>
`);
});
