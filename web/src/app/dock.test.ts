import { expect, it } from 'vitest';

import { dockFrom, dockText, toggled } from './dock';

it('is as it was left, and closed at first', () => {
  const left = { open: true, tab: 'history' } as const;
  expect(dockFrom(dockText(left))).toEqual(left);
  expect(dockFrom(undefined)).toEqual({ open: false, tab: 'messages' });
  expect(dockFrom('open')).toEqual({ open: true, tab: 'messages' });
  expect(dockFrom('open gone')).toEqual({ open: true, tab: 'messages' });
});

it('opens, changes over and closes', () => {
  const closed = { open: false, tab: 'messages' } as const;
  const messages = toggled(closed, 'messages');
  expect(messages).toEqual({ open: true, tab: 'messages' });
  expect(toggled(messages, 'history')).toEqual({ open: true, tab: 'history' });
  expect(toggled(messages, 'messages').open).toBe(false);
});
