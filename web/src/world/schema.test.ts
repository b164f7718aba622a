import { expect, it } from 'vitest';

import { MessageSchema } from './schema';
import { bytesOf, schemaOf } from './schemaTesting';

it('reads and writes messages of types that the page was not compiled with', () => {
  const schema = schemaOf('statistics');
  const bytes = schema.encode('{"sim_time": {"sec": 3}, "iterations": "12", "paused": true, "profile": "quick"}');
  expect(bytes).toEqual(bytesOf('statistics', { simTime: { sec: 3n }, iterations: 12n, paused: true, profile: 'quick' }));
  expect(JSON.parse(schema.json(bytes))).toMatchObject({ sim_time: { sec: '3' }, iterations: '12', paused: true, real_time_factor: 0 });
});

it('takes the files of a schema in any order', () => {
  expect(schemaOf('statistics', 'reversed').template()).toBe(schemaOf('statistics').template());
});

it('says what is wrong with a text', () => {
  const schema = schemaOf('statistics');
  expect(() => schema.encode('{"pause": true}')).toThrow(/pause/u);
  expect(() => schema.encode('{"paused": 3}')).toThrow(/paused/u);
  expect(() => schema.encode('{')).toThrow();
});

it('offers every field, and of a oneof one', () => {
  const template = JSON.parse(schemaOf('jointStates').template()) as unknown;
  expect(template).toEqual({ stamp: { sec: 0, nsec: 0 }, model: '', joint: [] });
  expect(schemaOf('notification').template()).toContain('"LEVEL_UNSPECIFIED"');
  for (const type of ['statistics', 'jointStates', 'notification'] as const) {
    const schema = schemaOf(type);
    expect(() => schema.encode(schema.template())).not.toThrow();
  }
});

it('refuses a schema of something else', () => {
  expect(() => MessageSchema.read('retake.msgs.Nothing', new Uint8Array())).toThrow('The schema of retake.msgs.Nothing does not describe it');
});
