/** Shows this page the world as it was. Nothing here touches the world. */
import type { MessageInitShape } from '@bufbuild/protobuf';

import type { TimelineInstantSchema } from '../protocol/generated/retake/msgs/timeline_pb';
import { secsOf, timeOf } from '../protocol/time';
import type { FoundInstant, Instant } from '../world/timeline';
import { PAST_PATIENCE_MS, type Sender } from './send';

/** Shows an instant in place of the present; returns the one that was found. */
export async function lookBack(sender: Sender, instant: Instant): Promise<FoundInstant> {
  const { past } = await sender.request({ case: 'lookBack', value: { instant: instantMessage(instant) } }, PAST_PATIENCE_MS);
  if (past === undefined) {
    throw new Error('The host shows something and does not say what');
  }
  return { epoch: Number(past.epoch), secs: secsOf(past.simTime), iterations: Number(past.iterations), remark: past.message };
}

/** Shows the present again. */
export async function lookAtPresent(sender: Sender): Promise<void> {
  await sender.request({ case: 'lookBack', value: {} });
}

export function instantMessage(instant: Instant): MessageInitShape<typeof TimelineInstantSchema> {
  if ('bookmark' in instant) {
    return { bookmark: instant.bookmark };
  }
  const { branch, secs } = instant;
  return secs === undefined ? { branch } : { branch, simTime: timeOf(secs) };
}
