import { expect, it } from 'vitest';

import { dockFrom, dockText, toggled } from './dock';

it('is as it was left, and closed at first', () => {
  const left = { open: true, tab: 'history', large: true } as const;
  expect(dockFrom(dockText(left))).toEqual(left);
  expect(dockFrom(dockText({ ...left, large: false }))).toEqual({ ...left, large: false });
  expect(dockFrom(undefined)).toEqual({ open: false, tab: 'messages', large: false });
  expect(dockFrom('open motion')).toEqual({ open: true, tab: 'motion', large: false });
  expect(dockFrom('open')).toEqual({ open: true, tab: 'messages', large: false });
  expect(dockFrom('open gone')).toEqual({ open: true, tab: 'messages', large: false });
});

it('opens, changes over and closes', () => {
  const closed = { open: false, tab: 'messages', large: true } as const;
  const messages = toggled(closed, 'messages');
  expect(messages).toEqual({ open: true, tab: 'messages', large: true });
  expect(toggled(messages, 'history')).toEqual({ open: true, tab: 'history', large: true });
  expect(toggled(messages, 'messages').open).toBe(false);
});
