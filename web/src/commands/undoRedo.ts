import { uuidV7 } from '../lib/uuid';
import { UndoRedo_StuckSystems as StuckSystems } from '../protocol/generated/retake/msgs/history_pb';
import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { Direction, StuckPolicy } from '../world/history';
import type { Sender } from './send';

export interface Travel {
  readonly direction: Direction;
  /** The command that is meant. */
  readonly id: string;
  /** Whether it may lie behind others, which are then undone or redone with it. */
  readonly jump: boolean;
  readonly stuck: StuckPolicy;
}

export const STUCK_SYSTEMS: Readonly<Record<StuckPolicy, StuckSystems>> = {
  refuse: StuckSystems.REFUSE,
  restart: StuckSystems.RESTART,
  'go-on': StuckSystems.GO_ON,
};

/** Goes back to just before a command, or forward to when it was undone; for everybody. */
export function undoRedo(sender: Sender, { direction, id, jump, stuck }: Travel): Promise<Reply> {
  const stuckSystems = STUCK_SYSTEMS[stuck];
  const value = { id, undo: direction === 'undo', author: 'page', requestId: uuidV7(), jump, stuckSystems };
  return sender.request({ case: 'undoRedo', value });
}
