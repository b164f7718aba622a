/** What became of an execution, in words. */
import { assertNever } from '../../lib/assert';
import { formatLogTime, formatProgress } from '../../lib/format';
import type { Draft, PathRecording, Run, TaughtMotion } from '../../world/teaching';

export interface RunView {
  readonly tone: 'good' | 'bad' | 'busy' | 'quiet';
  /** A word or two. */
  readonly title: string;
  /** What is to be known besides; may be empty. */
  readonly text: string;
  /** How far it has come, 0 to 1; undefined when it does not run or that is not known. */
  readonly progress: number | undefined;
}

/** Says how the last execution goes or went; `refusal` is why the newest did not even begin. */
export function runView(run: Run | undefined, draft: Draft, refusal: string | undefined): RunView | undefined {
  if (refusal !== undefined) {
    return { tone: 'bad', title: 'Refused', text: refusal, progress: undefined };
  }
  return run && viewOf(run, draft);
}

/** Where the part that is executed begins, in s. */
export function beginSecs({ start, waypoints }: TaughtMotion): number {
  const enabled = waypoints.filter((point) => point.enabled);
  return (enabled.find(({ id }) => id === start) ?? enabled[0])?.time ?? 0;
}

/** Says how long a recording of a path lasts by now. */
export function recordingText({ duration, samples }: PathRecording): string {
  return `${formatLogTime(duration)}, ${samples === 1 ? '1 sample' : `${samples} samples`}`;
}

function viewOf(run: Run, draft: Draft): RunView {
  const ended = (tone: RunView['tone'], title: string): RunView => ({ tone, title, text: run.text, progress: undefined });
  switch (run.state) {
    case 'running':
      return running(run, draft);
    case 'succeeded':
      return ended('good', 'Done');
    case 'canceled':
      return ended('quiet', 'Stopped');
    case 'aborted':
      return ended('bad', 'Aborted');
    case 'preempted':
      return ended('quiet', 'Replaced');
    case 'refused':
      return ended('bad', 'Refused');
    case 'unknown':
      return ended('quiet', 'Unknown');
    default:
      return assertNever(run.state);
  }
}

function running(run: Run, { motion, duration }: Draft): RunView {
  const title = `${run.loops ? 'Looping' : 'Running'}${run.backward ? ' backward' : ''}`;
  if (run.time === undefined) {
    return { tone: 'busy', title, text: run.text, progress: undefined };
  }
  const forward = run.time - beginSecs(motion);
  const gone = Math.min(Math.max(run.backward ? duration - forward : forward, 0), duration);
  const progress = duration > 0 ? gone / duration : undefined;
  return { tone: 'busy', title, text: run.text === '' ? formatProgress(gone, duration) : run.text, progress };
}
