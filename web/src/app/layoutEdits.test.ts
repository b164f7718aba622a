import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { addTab, renameTab } from '../panels/plots/edits';
import { newLayout, newTab, type PlotBoard, type PlotLayout } from '../world/plotLayout';
import { LayoutEdits } from './layoutEdits';

interface Sent {
  readonly titles: readonly string[];
  readonly base: bigint;
  readonly agree: () => Promise<void>;
  readonly refuse: (text: string) => Promise<void>;
}

function board(revision: bigint, ...titles: readonly string[]): PlotBoard {
  const layout = newLayout({ tab: titles.map((title) => ({ id: title, title })) });
  return { layout, revision, author: '', problems: [], facts: new Map() };
}

const titlesOf = (layout: PlotLayout | undefined): readonly string[] => (layout?.tab ?? []).map(({ title }) => title);

function bench(): { edits: LayoutEdits; sent: Sent[]; told: string[]; shown: () => readonly string[] } {
  const sent: Sent[] = [];
  const told: string[] = [];
  const edits = new LayoutEdits({
    send: (layout, base) => new Promise((resolve, reject) => {
      const answered = async (answer: () => void): Promise<void> => {
        answer();
        await Promise.resolve();
        await Promise.resolve();
      };
      sent.push({
        titles: titlesOf(layout),
        base,
        agree: () => answered(resolve),
        refuse: (text) => answered(() => { reject(new Error(text)); }),
      });
    }),
    changed: () => undefined,
    refused: (text) => told.push(text),
  });
  return { edits, sent, told, shown: () => titlesOf(edits.shown?.layout) };
}

const add = (title: string) => addTab(newTab({ id: title, title }));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an edit of the layout', () => {
  it('is shown at once, and once when the host has it', async () => {
    const { edits, sent, shown } = bench();
    edits.use(board(1n, 'a'));
    edits.edit(add('b'));
    expect(shown()).toEqual(['a', 'b']);
    expect(sent).toMatchObject([{ titles: ['a', 'b'], base: 1n }]);
    edits.use(board(2n, 'a', 'b'));
    expect(shown()).toEqual(['a', 'b']);
    await sent[0]?.agree();
    expect(shown()).toEqual(['a', 'b']);
  });

  it('waits for the state of the one before, so that it is never stale by itself', async () => {
    const { edits, sent, shown } = bench();
    edits.use(board(1n));
    edits.edit(add('a'));
    edits.edit(add('b'));
    edits.edit(add('c'));
    await sent[0]?.agree();
    expect(sent).toHaveLength(1);
    edits.use(board(2n, 'a'));
    expect(sent[1]).toMatchObject({ titles: ['a', 'b', 'c'], base: 2n });
    expect(shown()).toEqual(['a', 'b', 'c']);
  });

  it('is made again when somebody else was faster', async () => {
    const { edits, sent, told, shown } = bench();
    edits.use(board(1n, 'a'));
    edits.edit(renameTab('a', 'mine'));
    edits.use(board(2n, 'a', 'theirs'));
    await sent[0]?.refuse('stale');
    expect(sent[1]).toMatchObject({ titles: ['mine', 'theirs'], base: 2n });
    expect(told).toEqual([]);
    expect(shown()).toEqual(['mine', 'theirs']);
  });

  it('is made again when the refusal is faster than the news', async () => {
    const { edits, sent, told, shown } = bench();
    edits.use(board(1n, 'a'));
    edits.edit(add('b'));
    await sent[0]?.refuse('stale');
    edits.use(board(2n, 'a', 'theirs'));
    expect(sent[1]).toMatchObject({ titles: ['a', 'theirs', 'b'], base: 2n });
    vi.advanceTimersByTime(250);
    expect(told).toEqual([]);
    expect(shown()).toEqual(['a', 'theirs', 'b']);
  });

  it('is taken back when the host refuses it, and the person is told', async () => {
    const { edits, sent, told, shown } = bench();
    edits.use(board(1n, 'a'));
    edits.edit(add('b'));
    await sent[0]?.refuse('No room for more tabs');
    vi.advanceTimersByTime(250);
    expect(shown()).toEqual(['a']);
    expect(told).toEqual(['No room for more tabs']);
    edits.edit(add('c'));
    expect(sent[1]).toMatchObject({ titles: ['a', 'c'] });
  });

  it('gives up when others are faster again and again', async () => {
    const { edits, sent, told } = bench();
    edits.use(board(1n));
    edits.edit(add('b'));
    for (let i = 0; i < 6; i += 1) {
      edits.use(board(BigInt(i + 2)));
      await sent[i]?.refuse('stale');
    }
    expect(sent).toHaveLength(6);
    expect(told).toEqual(['stale']);
  });

  it('does not wait for ever for a state that does not come', async () => {
    const { edits, sent } = bench();
    edits.use(board(1n, 'a'));
    edits.edit(add('a'));
    await sent[0]?.agree();
    edits.edit(add('b'));
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    expect(sent).toHaveLength(2);
  });

  it('waits for the first board, and is bounded', () => {
    const { edits, sent, told } = bench();
    for (let i = 0; i < 501; i += 1) {
      edits.edit(add(`tab ${i}`));
    }
    expect(sent).toEqual([]);
    expect(told).toHaveLength(1);
    edits.use(board(1n));
    expect(sent[0]?.titles).toHaveLength(500);
  });
});
