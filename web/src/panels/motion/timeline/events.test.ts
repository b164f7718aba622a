import { describe, expect, it } from 'vitest';

import { flagAt, flagsOf, iconOf, labelOf } from './events';
import { action } from './fixtures';

const frame = { from: 0, to: 4, widthPx: 400 };

describe('flags', () => {
  it('are as wide as their words, but not over the next one', () => {
    const flags = flagsOf([action('2', 1.4), action('1', 1, 'voice/say', 'A long story that nobody reads'), action('3', 1.45), action('4', 9)], frame);
    expect(flags.map(({ action: { id }, widthPx }) => [id, Math.round(widthPx)])).toEqual([['1', 38], ['2', 20], ['3', 66]]);
  });

  it('are hit over their whole width, the later one first', () => {
    const flags = flagsOf([action('1', 1), action('2', 1.05)], frame);
    expect([95, 99, 106, 140, 300].map((x) => flagAt(flags, x)?.action.id)).toEqual([undefined, '1', '2', '2', undefined]);
  });

  it('show what kind they are of', () => {
    const types = ['voice/say', 'voice/play_wav', 'eyes/emotion', 'motion/joint_trajectory', 'lamp/on'];
    expect(types.map((type) => iconOf(action('1', 0, type)))).toEqual(['messages', 'sound', 'visual', 'runs', 'function']);
    expect(labelOf(action('1', 0, 'lamp/on', ''))).toBe('lamp/on');
    expect(labelOf(action('1', 0, 'eyes/emotion', ''))).toBe('Eyes');
    expect(flagsOf([action('1', 1.5, 'eyes/emotion', 'happy')], frame)[0]?.name).toBe('Eyes happy at 1.50 s');
  });
});
