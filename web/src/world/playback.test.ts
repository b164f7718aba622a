import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';

import { LogMark_Kind, LogStatusSchema, PlaybackFileSchema } from '../protocol/generated/retake/msgs/log_pb';
import { logFileOf, simTimeAt } from './playback';
import { fileNameOf, recordingOf } from './recording';

it('reads a log, in the order of the recording', () => {
  const file = logFileOf(create(PlaybackFileSchema, {
    file: '/logs/a.mcap',
    lengthSecs: 4,
    stretch: [{ epoch: 1n, beginSecs: 0, endSecs: 3, simSecs: 5 }, { epoch: 2n, beginSecs: 3, endSecs: 4, simSecs: 6 }],
    mark: [
      { kind: LogMark_Kind.JUMP, atSecs: 3, text: 'undo' },
      { kind: LogMark_Kind.COMMAND, atSecs: 1, text: 'Move' },
      { kind: LogMark_Kind.UNSPECIFIED, atSecs: 2, text: 'of a kind that is not known here' },
    ],
  }));
  expect(file).toMatchObject({ name: 'a.mcap', path: '/logs/a.mcap', stretches: [{ epoch: 1 }, { epoch: 2 }] });
  expect(file.marks.map(({ kind, text }) => [kind, text])).toEqual([['command', 'Move'], ['jump', 'undo']]);
  expect([0, 2, 3, 3.5, 9].map((at) => simTimeAt(file, at))).toEqual([5, 7, 6, 6.5, 7]);
  expect(simTimeAt({ ...file, stretches: [] }, 1)).toBeUndefined();
});

it('reads the state of a recording', () => {
  const status = create(LogStatusSchema, { recording: true, file: 'a.mcap', bytes: 12n, recorded: { sec: 3n, nsec: 500_000_000 }, dropped: 2n });
  expect(recordingOf(status)).toEqual({ active: true, file: 'a.mcap', bytes: 12, recordedSecs: 3.5, dropped: 2, ended: '' });
});

it('names a file without its folders', () => {
  expect(['a.mcap', '/logs/a.mcap', 'C:\\logs\\a.mcap'].map(fileNameOf)).toEqual(['a.mcap', 'a.mcap', 'a.mcap']);
});
