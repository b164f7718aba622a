import { expect, it } from 'vitest';

import { layoutOf, shownTab, tabLabel, tabsOf } from './layout';

it('shows in tabs what has no room', () => {
  expect(tabsOf(layoutOf(700, 300))).toEqual(['table', 'timeline', 'setup']);
  expect(tabsOf(layoutOf(1200, 300))).toEqual(['table', 'timeline']);
  expect(tabsOf(layoutOf(700, 700))).toEqual(['table', 'setup']);
  expect(tabsOf(layoutOf(1280, 700))).toEqual([]);
});

it('falls back to the table when a tab is no tab any more', () => {
  expect(shownTab(layoutOf(700, 300), 'setup')).toBe('setup');
  expect(shownTab(layoutOf(1200, 300), 'setup')).toBe('table');
  expect(shownTab(layoutOf(1280, 700), 'timeline')).toBe('table');
  expect(tabLabel('table', layoutOf(700, 700))).toBe('Motion');
});
