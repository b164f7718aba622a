import { expect, it } from 'vitest';

import { scriptColor, scriptOpacity } from './scripts';

it.each([
  ['Gazebo/White', [1, 1, 1]],
  ['Gazebo/Grey', [0.5, 0.5, 0.5]],
  ['gazebo/grey', [0.5, 0.5, 0.5]],
  ['Gazebo/RedGlow', [0.85, 0.08, 0.08]],
  ['Gazebo/BlueTransparent', [0.1, 0.2, 0.9]],
  ['Gazebo/NoSuchThing', undefined],
  ['vrc/asphalt', undefined],
  ['', undefined],
])('the script %s has the colour %s', (name, color) => {
  expect(scriptColor(name)).toEqual(color);
});

it('some scripts are seen through', () => {
  expect(scriptOpacity('Gazebo/BlueTransparent')).toBe(0.5);
  expect(scriptOpacity('Gazebo/Blue')).toBe(1);
});
