/** Starts and ends recordings. They change no world, so they cannot be undone. */
import type { Sender } from './send';

/** What is to be recorded, and where. */
export interface LogOptions {
  /** Name of the file; empty for one that the server makes up. */
  readonly file: string;
  /** Most states for each second of simulated time; 0 means each step. */
  readonly rateHz: number;
  /** Topics beside what the world itself tells. */
  readonly topics: readonly string[];
}

export async function startRecording(sender: Sender, { file, rateHz, topics }: LogOptions): Promise<void> {
  await sender.request({ case: 'logStart', value: { file, rateHz, topic: [...topics] } });
}

export async function stopRecording(sender: Sender): Promise<void> {
  await sender.request({ case: 'logStop', value: {} });
}
