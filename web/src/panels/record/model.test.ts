import { expect, it } from 'vitest';

import type { Recording } from '../../world/recording';
import { alarmOf, deedOf, draftFrom, draftText, EMPTY_DRAFT, noticeOf, optionsOf, progressOf } from './model';

const running: Recording = { active: true, file: 'logs/cones.mcap', bytes: 3_400_000, recordedSecs: 12.34, dropped: 0, ended: '' };
const stopped: Recording = { ...running, active: false };

it('shows time and size while it records', () => {
  expect(progressOf(running)).toEqual({ clock: 'REC 00:12', size: '3.4 MB' });
});

it('says what a press does, and the size for those who do not see it', () => {
  expect(deedOf(undefined)).toBe('Record a log');
  expect(deedOf(stopped)).toBe('Record a log');
  expect(deedOf(running)).toBe('Stop recording cones.mcap, 3.4 MB so far');
});

it('tells what was recorded when it stops, and nothing before or after', () => {
  expect(noticeOf(running, stopped)).toEqual({ level: 'info', text: 'Recorded 12.3 s to cones.mcap (3.4 MB)' });
  expect(noticeOf(undefined, stopped)).toBeUndefined();
  expect(noticeOf(undefined, running)).toBeUndefined();
  expect(noticeOf(stopped, stopped)).toBeUndefined();
  expect(noticeOf(stopped, running)).toBeUndefined();
  expect(noticeOf(running, { ...running, bytes: 4_000_000 })).toBeUndefined();
});

it('an end by itself is an error that names the reason and what is left', () => {
  const full = { ...stopped, ended: 'the disk is full' };
  expect(noticeOf(running, full)).toEqual({
    level: 'error',
    text: 'The recording ended by itself: the disk is full. cones.mcap has the 12.3 s before that',
  });
  expect(alarmOf(full)).toMatchObject({ level: 'error', text: 'The last recording ended by itself: the disk is full' });
});

it('what was left out is told once, counted on the button, and told again at the end', () => {
  const lossy = { ...running, dropped: 1200 };
  expect(noticeOf(running, lossy)?.level).toBe('warning');
  expect(noticeOf(lossy, { ...lossy, dropped: 1300 })).toBeUndefined();
  expect(noticeOf(lossy, { ...lossy, file: 'other.mcap' })?.level).toBe('warning');
  expect(alarmOf(lossy)).toMatchObject({ level: 'warning', short: '1\u202f200' });
  expect(alarmOf({ ...running, dropped: 1 })?.text).toBe('1 record was left out because the disk could not follow');
  expect(noticeOf(lossy, { ...lossy, active: false })?.text).toContain('records were left out');
  expect(alarmOf(running)).toBeUndefined();
});

it('topics are separated by commas', () => {
  expect(optionsOf({ file: ' a.mcap ', rateHz: 60, topics: ' /imu, /camera/*,, /imu ' })).toEqual({
    file: 'a.mcap', rateHz: 60, topics: ['/imu', '/camera/*'],
  });
  expect(optionsOf(EMPTY_DRAFT)).toEqual({ file: '', rateHz: 0, topics: [] });
});

it('keeps choices between visits, but no name', () => {
  expect(draftFrom(draftText({ file: 'a', rateHz: 30, topics: '/a' }))).toEqual({ file: '', rateHz: 30, topics: '/a' });
  for (const text of [undefined, '', '7', 'null', '{"rateHz":30}', '{"rateHz":7,"topics":1}']) {
    expect(draftFrom(text)).toEqual(EMPTY_DRAFT);
  }
});
