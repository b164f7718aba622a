import type { Reply } from '../protocol/generated/retake/msgs/page_pb';
import type { Sender } from './send';

/** What is to change; what is absent stays. */
export interface HistoryLimits {
  /** False forgets everything and keeps nothing more. */
  readonly enabled?: boolean;
  readonly maxSteps?: number;
  readonly maxBytes?: number;
}

/** Says how much of the past the server keeps. */
export function limitHistory(sender: Sender, { maxBytes, ...limits }: HistoryLimits): Promise<Reply> {
  const value = { ...limits, ...(maxBytes === undefined ? {} : { maxBytes: BigInt(maxBytes) }) };
  return sender.request({ case: 'undoSettings', value });
}
