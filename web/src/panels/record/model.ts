/** What a person sees of a recording, and what they choose before it begins. */
import type { LogOptions } from '../../commands/recordLog';
import { formatClock, formatCount, formatFileSize, formatNumber } from '../../lib/format';
import { fileNameOf, type Recording } from '../../world/recording';

/** What is typed and chosen before a recording begins. */
export interface Draft {
  readonly file: string;
  /** Most states for each second of simulated time; 0 means each step. */
  readonly rateHz: number;
  /** As typed: topics with commas between them. */
  readonly topics: string;
}

export const EMPTY_DRAFT: Draft = { file: '', rateHz: 0, topics: '' };

/** Rates that can be chosen. */
export const RATES: readonly (readonly [number, string])[] = [
  [0, 'Each step'], [60, '60'], [30, '30'], [10, '10'],
];

/** Makes of what was typed what the server wants. */
export function optionsOf({ file, rateHz, topics }: Draft): LogOptions {
  const named = topics.split(',').map((topic) => topic.trim()).filter((topic) => topic !== '');
  return { file: file.trim(), rateHz, topics: [...new Set(named)] };
}

/** Writes what is kept between visits: all but the name, which is for one recording alone. */
export function draftText({ rateHz, topics }: Draft): string {
  return JSON.stringify({ rateHz, topics });
}

/** Reads what was kept; anything that is no draft is as good as none. */
export function draftFrom(text: string | undefined): Draft {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '');
  } catch {
    return EMPTY_DRAFT;
  }
  if (typeof kept !== 'object' || kept === null || !('rateHz' in kept) || !('topics' in kept)) {
    return EMPTY_DRAFT;
  }
  const { rateHz, topics } = kept;
  const known = RATES.find(([rate]) => rate === rateHz)?.[0];
  return { file: '', rateHz: known ?? 0, topics: typeof topics === 'string' ? topics : '' };
}

/** What the button says while it records, `REC 00:12`, and `3.4 MB` where there is room for it. */
export function progressOf({ recordedSecs, bytes }: Recording): { readonly clock: string; readonly size: string } {
  return { clock: `REC ${formatClock(recordedSecs)}`, size: formatFileSize(bytes) };
}

/** What a press on the button does; also says what the button has no room for. */
export function deedOf(recording: Recording | undefined): string {
  return recording?.active === true ? `Stop recording ${fileNameOf(recording.file)}, ${formatFileSize(recording.bytes)} so far` : 'Record a log';
}

export interface Notice {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** Says what became of a recording; undefined when it only went on. */
export function noticeOf(before: Recording | undefined, now: Recording): Notice | undefined {
  if (before === undefined) {
    return undefined; // Whatever was there before this page is no news.
  }
  if (now.active) {
    const already = before.active && before.file === now.file && before.dropped > 0;
    return now.dropped > 0 && !already ? { level: 'warning', text: `${droppedText(now.dropped)}. Record fewer states for each second, or fewer topics` } : undefined;
  }
  if (!before.active) {
    return undefined;
  }
  if (now.ended !== '') {
    return { level: 'error', text: `The recording ended by itself: ${now.ended}. ${keptText(now)}` };
  }
  const loss = now.dropped > 0 ? `. ${droppedText(now.dropped)}` : '';
  return { level: now.dropped > 0 ? 'warning' : 'info', text: `${recordedText(now)}${loss}` };
}

/** What is wrong with the recording that runs or ran last. */
export function alarmOf({ dropped, ended }: Recording): (Notice & { readonly short: string }) | undefined {
  if (ended !== '') {
    return { level: 'error', text: `The last recording ended by itself: ${ended}`, short: '' };
  }
  return dropped > 0 ? { level: 'warning', text: droppedText(dropped), short: formatCount(dropped) } : undefined;
}

function recordedText({ recordedSecs, file, bytes }: Recording): string {
  return `Recorded ${formatNumber(recordedSecs, 1)} s to ${fileNameOf(file)} (${formatFileSize(bytes)})`;
}

function keptText({ recordedSecs, file }: Recording): string {
  return `${fileNameOf(file)} has the ${formatNumber(recordedSecs, 1)} s before that`;
}

function droppedText(dropped: number): string {
  const records = dropped === 1 ? '1 record was' : `${formatCount(dropped)} records were`;
  return `${records} left out because the disk could not follow`;
}
