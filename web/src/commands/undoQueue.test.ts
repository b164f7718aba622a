import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { UndoRedo_StuckSystems as StuckSystems } from '../protocol/generated/retake/msgs/history_pb';
import { ReplySchema, RequestSchema, type Reply } from '../protocol/generated/retake/msgs/page_pb';
import { historyWith } from '../world/testing';
import { SHOWN_MS } from './ownEdits';
import type { Sender } from './send';
import { LISTS_MS, MOST_WAITING, UndoQueue } from './undoQueue';

/** A server that answers when it is told to. */
class Bench implements Sender {
  readonly asked: string[] = [];
  readonly requestIds = new Set<string>();
  readonly refusals: string[] = [];
  readonly queue = new UndoQueue(this, {
    sent: () => undefined,
    refused: (_, text) => this.refusals.push(text),
  });
  private readonly open: { resolve: (reply: Reply) => void; reject: (error: Error) => void }[] = [];

  request(body: NonNullable<MessageInitShape<typeof RequestSchema>['request']>): Promise<Reply> {
    const { request } = create(RequestSchema, { request: body });
    if (request.case !== 'undoRedo') {
      throw new Error(`the queue sent a ${String(request.case)}`);
    }
    const { undo, id, jump, requestId, stuckSystems } = request.value;
    const stuck = stuckSystems === StuckSystems.REFUSE ? '' : ` ${StuckSystems[stuckSystems]}`;
    this.asked.push(`${undo ? 'undo' : 'redo'} ${id}${jump ? ' jump' : ''}${stuck}`);
    this.requestIds.add(requestId);
    return new Promise((resolve, reject) => this.open.push({ resolve, reject }));
  }

  /** Something is edited; the lists and the reply come when they are told to. */
  edit(id: string, gesture = ''): { agree: () => Promise<void>; refuse: () => Promise<void> } {
    let [resolve, reject]: [() => void, (error: Error) => void] = [never, never];
    const reply = new Promise<void>((agreed, refused) => {
      [resolve, reject] = [agreed, refused];
    });
    this.queue.expect({ id, gesture, reply });
    const settled = async (): Promise<void> => {
      await reply.catch(() => undefined);
      await Promise.resolve();
    };
    return {
      agree: () => {
        resolve();
        return settled();
      },
      refuse: () => {
        reject(new Error('no'));
        return settled();
      },
    };
  }

  async agree(): Promise<void> {
    this.open.shift()?.resolve(create(ReplySchema, { ok: true }));
    await Promise.resolve();
  }

  async refuse(text: string): Promise<void> {
    this.open.shift()?.reject(new Error(text));
    await Promise.resolve();
    await Promise.resolve();
  }
}

const undo = { direction: 'undo' } as const;
const redo = { direction: 'redo' } as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an undo queue', () => {
  it('names the command at the head', () => {
    const bench = new Bench();
    bench.queue.use(historyWith(['b', 'a'], ['c']));
    bench.queue.ask(undo);
    expect(bench.asked).toEqual(['undo b']);
  });

  it('lets the second press wait for the new lists, whichever of reply and lists comes first', async () => {
    for (const listsFirst of [true, false]) {
      const bench = new Bench();
      bench.queue.use(historyWith(['b', 'a']));
      bench.queue.ask(undo);
      bench.queue.ask(undo);
      expect(bench.asked).toEqual(['undo b']);
      if (listsFirst) {
        bench.queue.use(historyWith(['a'], ['b']));
        expect(bench.asked).toHaveLength(1);
        await bench.agree();
      } else {
        await bench.agree();
        expect(bench.asked).toHaveLength(1);
        bench.queue.use(historyWith(['a'], ['b']));
      }
      expect(bench.asked).toEqual(['undo b', 'undo a']);
      expect(bench.requestIds.size).toBe(2);
    }
  });

  it('is not fooled by lists from before its request', async () => {
    const bench = new Bench();
    bench.queue.use(historyWith(['b', 'a']));
    bench.queue.ask(undo);
    bench.queue.ask(undo);
    await bench.agree();
    bench.queue.use(historyWith(['b', 'a'], [], { bytes: 5 }));
    expect(bench.asked).toEqual(['undo b']);
    bench.queue.use(historyWith(['a'], ['b']));
    expect(bench.asked).toEqual(['undo b', 'undo a']);
  });

  it('goes there and back in order', async () => {
    const bench = new Bench();
    bench.queue.use(historyWith(['a']));
    bench.queue.ask(undo);
    bench.queue.ask(redo);
    bench.queue.use(historyWith([], ['a']));
    await bench.agree();
    bench.queue.use(historyWith(['a'], []));
    await bench.agree();
    expect(bench.asked).toEqual(['undo a', 'redo a']);
  });

  it('jumps to a command in the middle, and only there', () => {
    const bench = new Bench();
    const history = historyWith(['c', 'b', 'a']);
    bench.queue.use(history);
    bench.queue.ask({ direction: 'undo', to: history.undo[1] ?? never() });
    expect(bench.asked).toEqual(['undo b jump']);
  });

  it('says what becomes of systems that cannot follow', () => {
    const bench = new Bench();
    bench.queue.use(historyWith(['a']));
    bench.queue.ask({ direction: 'undo', stuck: 'restart' });
    expect(bench.asked).toEqual(['undo a RESTART']);
  });

  it('says when the command to jump to is gone', async () => {
    const bench = new Bench();
    const history = historyWith(['b', 'a']);
    bench.queue.use(history);
    bench.queue.ask(undo);
    bench.queue.ask({ direction: 'undo', to: history.undo[0] ?? never() });
    bench.queue.use(historyWith(['a'], ['b']));
    await bench.agree();
    expect(bench.asked).toEqual(['undo b']);
    expect(bench.refusals).toEqual(['“Do b” is not in the list any more. Look at the history again']);
  });

  it('shows a refusal, forgets what waited and works again', async () => {
    const bench = new Bench();
    bench.queue.use(historyWith(['b', 'a']));
    bench.queue.ask(undo);
    bench.queue.ask(undo);
    await bench.refuse('head moved: Move box, by page 2');
    bench.queue.use(historyWith(['x', 'b', 'a']));
    expect(bench.asked).toEqual(['undo b']);
    expect(bench.refusals).toEqual(['head moved: Move box, by page 2']);
    bench.queue.ask(undo);
    expect(bench.asked).toEqual(['undo b', 'undo x']);
  });

  it('drops presses beyond its bound, and presses on an empty list', async () => {
    const bench = new Bench();
    bench.queue.ask(undo);
    const ids = Array.from({ length: 40 }, (_, index) => String(index));
    bench.queue.use(historyWith(ids));
    for (let press = 0; press < 40; press += 1) {
      bench.queue.ask(undo);
    }
    for (let done = 1; done <= 40; done += 1) {
      bench.queue.use(historyWith(ids.slice(done)));
      await bench.agree();
    }
    expect(bench.asked).toHaveLength(MOST_WAITING + 1);
    expect(bench.refusals).toEqual([]);
  });

  it('goes on with the lists it has when nothing more comes', async () => {
    const bench = new Bench();
    bench.queue.use(historyWith(['a']));
    bench.queue.ask(undo);
    bench.queue.ask(undo);
    await bench.agree(); // And another client redoes it before the lists are told.
    vi.advanceTimersByTime(LISTS_MS);
    expect(bench.asked).toEqual(['undo a', 'undo a']);
    expect(bench.requestIds.size).toBe(2);
  });

  it('means an edit that was just made, and waits until the lists show it', async () => {
    for (const listsFirst of [true, false]) {
      const bench = new Bench();
      const edit = bench.edit('b');
      bench.queue.use(historyWith(['a']));
      bench.queue.ask(undo);
      expect(bench.asked).toEqual([]);
      if (listsFirst) {
        bench.queue.use(historyWith(['b', 'a']));
        expect(bench.asked).toEqual(['undo b']);
        await edit.agree();
      } else {
        await edit.agree();
        bench.queue.use(historyWith(['a'], [], { bytes: 5 }));
        expect(bench.asked).toEqual([]);
        bench.queue.use(historyWith(['b', 'a']));
      }
      expect(bench.asked).toEqual(['undo b']);
    }
  });

  it('waits no longer for an edit that was refused, is part of a gesture, or leaves no entry', async () => {
    const refused = new Bench();
    const edit = refused.edit('b');
    refused.queue.use(historyWith(['a']));
    refused.queue.ask(undo);
    await edit.refuse();
    expect(refused.asked).toEqual(['undo a']);

    const dragged = new Bench();
    dragged.queue.use(historyWith(['a']));
    const last = dragged.edit('c', 'drag');
    dragged.queue.ask(undo);
    await last.agree();
    expect(dragged.asked).toEqual([]);
    dragged.queue.use(historyWith(['a'], [], { bytes: 5 }));
    expect(dragged.asked).toEqual(['undo a']);

    const traceless = new Bench();
    traceless.queue.use(historyWith(['a']));
    const pause = traceless.edit('d');
    traceless.queue.ask(undo);
    await pause.agree();
    vi.advanceTimersByTime(SHOWN_MS);
    expect(traceless.asked).toEqual(['undo a']);
  });

  it('keeps nothing over a new connection', async () => {
    const bench = new Bench();
    bench.queue.use(historyWith(['b', 'a']));
    bench.queue.ask(undo);
    bench.queue.ask(undo);
    bench.queue.clear();
    await bench.refuse('The connection was lost');
    expect(bench.refusals).toEqual([]);
    bench.queue.use(historyWith(['b', 'a']));
    expect(bench.asked).toEqual(['undo b']);
  });
});

function never(): never {
  throw new Error('the entry is there');
}
