import { expect, it } from 'vitest';

import { actionEdit, actionText, commandHint, formOf, newAction } from './actionForm';

it('makes a new action, or changes one', () => {
  expect(actionEdit({ ...newAction(1.23456), command: 'hello' })).toEqual({
    case: 'addAction', value: { time: 1.235, command: { type: 'voice/say', command: 'hello', options: '' } },
  });
  const known = { id: '4', time: 2, type: 'eyes/emotion', command: 'joy', options: 'slow' };
  expect(actionEdit(formOf(known))).toEqual({
    case: 'setAction', value: { id: 4n, time: 2, command: { type: 'eyes/emotion', command: 'joy', options: 'slow' } },
  });
});

it('says what is wrong', () => {
  expect(actionEdit({ ...newAction(0), type: ' ' })).toEqual({ problem: 'Say who is to do it, as voice/say' });
  for (const time of ['', 'soon', '-1', '∞']) {
    expect(actionEdit({ ...newAction(0), time })).toEqual({ problem: `“${time}” is no time. It takes seconds from 0 on` });
  }
  expect(actionEdit({ ...newAction(0), time: '500 ms' })).toMatchObject({ value: { time: 0.5 } });
});

it('words commands', () => {
  expect(commandHint('voice/play_wav')).toBe('Name of the sound file');
  expect(commandHint('lamp/on')).toBe('What is asked of it');
  expect([actionText({ type: 'lamp/on', command: '' }), actionText({ type: 'voice/say', command: 'hi' })]).toEqual(['lamp/on', 'voice/say hi']);
});
