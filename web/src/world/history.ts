/** The history as the server told it last: what can be undone and what can be redone. */
import type { HistoryEntry, UserCmdStats } from '../protocol/generated/retake/msgs/history_pb';
import { secsOf } from '../protocol/time';

export type Direction = 'undo' | 'redo';

/** What becomes of systems that cannot follow the world to another time. */
export type StuckPolicy = 'refuse' | 'restart' | 'go-on';

/** A command that can be undone or redone. */
export interface Entry {
  readonly id: string;
  readonly description: string;
  readonly author: string;
  /** When the command was carried out. */
  readonly simTimeSecs: number;
  /** Held by this GUI alone until the world goes on. */
  readonly pending: boolean;
}

export interface History {
  /** The command that the next undo takes back comes first. */
  readonly undo: readonly Entry[];
  /** The command that the next redo brings back comes first. */
  readonly redo: readonly Entry[];
  /** Whether commands are kept. */
  readonly enabled: boolean;
  readonly maxSteps: number;
  readonly maxBytes: number;
  readonly bytes: number;
  /** Commands that there was no room for any more. */
  readonly dropped: number;
}

/** Reads the lists; the wire has what comes next at the end. */
export function historyOf(stats: UserCmdStats): History {
  const { enabled, maxSteps } = stats;
  return {
    undo: once(stats.undo.map(entryOf)).reverse(),
    redo: once(stats.redo.map(entryOf)).reverse(),
    enabled,
    maxSteps,
    maxBytes: Number(stats.maxBytes),
    bytes: Number(stats.bytes),
    dropped: Number(stats.dropped),
  };
}

/** Returns the command that an undo or redo takes next. */
export function nextEntry(history: History | undefined, direction: Direction): Entry | undefined {
  return history?.[direction][0];
}

/** While the server takes an action over, it is in its list and still in that of the GUI. */
function once(entries: readonly Entry[]): Entry[] {
  const taken = new Set(entries.filter(({ pending }) => !pending).map(({ id }) => id));
  return entries.filter(({ id, pending }) => !pending || !taken.has(id));
}

function entryOf({ id, description, author, simTime, pending }: HistoryEntry): Entry {
  return { id, description, author, simTimeSecs: secsOf(simTime), pending };
}
