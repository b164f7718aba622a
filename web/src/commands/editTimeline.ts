/** Changes names in the timeline, or how much of the past is kept. The world is not touched. */
import type { MessageInitShape } from '@bufbuild/protobuf';

import type { TimelineEditSchema } from '../protocol/generated/retake/msgs/timeline_pb';
import type { Instant } from '../world/timeline';
import { instantMessage } from './lookBack';
import type { Sender } from './send';

/** What in the timeline has a name. */
export type NamedKind = 'branch' | 'bookmark';

/** Gives an instant a name; without one, the present. */
export function addBookmark(sender: Sender, name: string, instant?: Instant): Promise<void> {
  const at = instant === undefined ? {} : { instant: instantMessage(instant) };
  return edit(sender, { case: 'addBookmark', value: { name, ...at } });
}

export function renameInTimeline(sender: Sender, kind: NamedKind, name: string, to: string): Promise<void> {
  return edit(sender, { case: kind === 'branch' ? 'renameBranch' : 'renameBookmark', value: { name, to } });
}

export function deleteInTimeline(sender: Sender, kind: NamedKind, name: string): Promise<void> {
  return edit(sender, { case: kind === 'branch' ? 'deleteBranch' : 'deleteBookmark', value: name });
}

export interface TimelineLimits {
  /** 0 forgets everything and keeps nothing more. */
  readonly maxBytes?: number;
  readonly maxAgeSecs?: number;
}

export function limitTimeline(sender: Sender, { maxBytes, maxAgeSecs }: TimelineLimits): Promise<void> {
  const value = {
    ...(maxBytes === undefined ? {} : { maxBytes: BigInt(maxBytes) }),
    ...(maxAgeSecs === undefined ? {} : { maxAgeSecs }),
  };
  return edit(sender, { case: 'settings', value });
}

async function edit(sender: Sender, what: NonNullable<MessageInitShape<typeof TimelineEditSchema>['edit']>): Promise<void> {
  await sender.request({ case: 'timelineEdit', value: { author: 'page', edit: what } });
}
