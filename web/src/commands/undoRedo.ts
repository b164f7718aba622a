import { uuidV7 } from '../lib/uuid';
import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { Direction } from '../world/history';
import type { Sender } from './send';

export interface Travel {
  readonly direction: Direction;
  /** The command that is meant. */
  readonly id: string;
  /** Whether it may lie behind others, which are then undone or redone with it. */
  readonly jump: boolean;
}

/** Goes back to just before a command, or forward to when it was undone; for everybody. */
export function undoRedo(sender: Sender, { direction, id, jump }: Travel): Promise<Reply> {
  const value = { id, undo: direction === 'undo', author: 'page', requestId: uuidV7(), jump };
  return sender.request({ case: 'undoRedo', value });
}
