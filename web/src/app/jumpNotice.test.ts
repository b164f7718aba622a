import { expect, it } from 'vitest';

import { jumpNotice } from './jumpNotice';

const jump = { fromSecs: 4.21, toSecs: 1, cause: 'undo', author: 'page 2', description: 'Move vehicle' };
const back = 'Time went back from 4.210\u00a0s to 1.000\u00a0s';

it('says who undid what, and the way of the time', () => {
  expect(jumpNotice(jump, false)).toEqual({ level: 'info', text: `page 2 undid “Move vehicle”. ${back}` });
  expect(jumpNotice(jump, true).text).toBe(`Undid “Move vehicle”. ${back}`);
});

it('tells forward from back and from nowhere', () => {
  expect(jumpNotice({ ...jump, cause: 'redo', fromSecs: 1, toSecs: 61 }, true).text).toBe(
    'Redid “Move vehicle”. Time went on from 1.000\u00a0s to 1:01.000',
  );
  expect(jumpNotice({ ...jump, toSecs: 4.21 }, true).text).toBe('Undid “Move vehicle”. The time is still 4.210\u00a0s');
});

it('knows the other causes, and survives new ones', () => {
  expect(jumpNotice({ ...jump, cause: 'reset', description: '' }, false).text).toBe(`page 2 reset the world. ${back}`);
  expect(jumpNotice({ ...jump, cause: 'failed step', author: '' }, false)).toEqual({
    level: 'warning',
    text: `A step failed. ${back}`,
  });
  expect(jumpNotice({ ...jump, cause: 'seek' }, false).text).toBe(`The time jumped (seek). ${back}`);
  expect(jumpNotice({ ...jump, author: '', description: '' }, false).text).toBe(`Undid a command. ${back}`);
});

it.each([
  ['Resume from 1.500 s', 'Resumed from 1.500 s'],
  ['Switch to main-1 at 5.710 s', 'Switched to main-1 at 5.710 s'],
  ['Fork trial at 0.500 s', 'Forked trial at 0.500 s'],
  ['', 'Resumed from the past'],
])('a resume is told as it was meant: %s', (description, said) => {
  const jump = { fromSecs: 5, toSecs: 1.5, cause: 'resume', author: 'cli', description };
  expect(jumpNotice(jump, true).text).toBe(`${said}. Time went back from 5.000\u00a0s to 1.500\u00a0s`);
});
