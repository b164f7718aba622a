import { findingsOf, type Finding } from '../world/findings';
import type { Sender } from './send';

/** Asks what was found in the world's file when it was loaded. */
export async function fetchFindings(sender: Sender): Promise<readonly Finding[]> {
  const { findings } = await sender.request({ case: 'findings', value: {} });
  return findings === undefined ? [] : findingsOf(findings);
}
