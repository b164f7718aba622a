import { describe, expect, it } from 'vitest';

import {
  axisCount, escapeXml, JOINT_KINDS, jointElement, LIGHT_KINDS, lightElement, linkElement, modelElement, sdfDocument,
  SENSOR_KINDS, sensorElement, SHAPES, standingHeight, volumeOf, type Shape, type ShapeKind,
} from './sdfText';

const shape = (kind: ShapeKind): Shape => ({ kind, size: [1, 2, 3], radius: 0.5, length: 2 });

/** Opening and closing tags, to see that a text is well-formed. */
function unclosed(xml: string): string[] {
  const open: string[] = [];
  for (const [, close, name = '', selfClosing] of xml.matchAll(/<(\/?)([a-z_0-9]+)[^<>]*?(\/?)>/g)) {
    if (close === '/') {
      if (open.at(-1) !== name) {
        return [...open, `/${name}`];
      }
      open.pop();
    } else if (selfClosing !== '/') {
      open.push(name);
    }
  }
  return open;
}

describe('texts are well-formed', () => {
  it.each(SHAPES)('of a %s', (kind) => {
    const text = sdfDocument(modelElement({ name: kind, shape: shape(kind), massKg: 1 }));
    expect(unclosed(text.replace(/<\?xml.*\?>/, ''))).toEqual([]);
    expect(text).toContain(`<${kind}>`);
  });
  it.each(SENSOR_KINDS)('of a sensor %s', (kind) => {
    expect(unclosed(sensorElement({ name: 's', kind, rateHz: 30, collision: 'c' }))).toEqual([]);
  });
  it.each(JOINT_KINDS)('of a joint %s', (kind) => {
    const text = jointElement({ name: 'j', kind, parent: 'world', child: 'l', axis: [0, 0, 1] });
    expect(unclosed(text)).toEqual([]);
    expect(text.match(/<xyz>/g)?.length ?? 0).toBe(axisCount(kind));
  });
  it.each(LIGHT_KINDS)('of a light %s', (kind) => {
    expect(unclosed(lightElement({ name: 'l', kind }))).toEqual([]);
  });
});

it('what people type cannot become elements', () => {
  const name = `"><plugin name='x'/>&`;
  expect(escapeXml(name)).toBe('&quot;&gt;&lt;plugin name=&apos;x&apos;/&gt;&amp;');
  for (const text of [
    linkElement({ name, shape: shape('box'), massKg: 1 }),
    jointElement({ name, kind: 'fixed', parent: name, child: name, axis: [0, 0, 1] }),
    sensorElement({ name, kind: 'contact', rateHz: 1, collision: name }),
    lightElement({ name, kind: 'point' }),
  ]) {
    expect(text).not.toContain('<plugin');
    expect(unclosed(text)).toEqual([]);
  }
});

it('two axes cross at right angles', () => {
  const axes = (axis: [number, number, number]) =>
    [...jointElement({ name: 'j', kind: 'universal', parent: 'a', child: 'b', axis }).matchAll(/<xyz>(.*?)<\/xyz>/g)].map(([, text = '']) =>
      text.split(' ').map(Number),
    );
  for (const axis of [[0, 0, 1], [1, 0, 0], [0.6, 0.8, 0]] as [number, number, number][]) {
    const [first = [], second = []] = axes(axis);
    expect(first.reduce((sum, value, i) => sum + value * (second[i] ?? 0), 0)).toBeCloseTo(0, 12);
    expect(Math.hypot(...second)).toBeGreaterThan(0.9);
  }
});

it('the mass is that of the whole shape', () => {
  expect(SHAPES.map((kind) => volumeOf(shape(kind)).toFixed(4))).toEqual(['6.0000', '0.5236', '1.5708', '2.0944', '0.5236', '25.1327']);
  expect(linkElement({ name: 'l', shape: shape('box'), massKg: 12 })).toContain('<density>2</density>');
});

it('shapes stand on the ground', () => {
  expect(SHAPES.map((kind) => standingHeight(shape(kind)))).toEqual([1.5, 0.5, 1, 1.5, 1, 3]);
});
