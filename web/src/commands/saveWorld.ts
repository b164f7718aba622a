import type { Sender } from './send';

/** Writes the world as it is now into the file that it came from; returns what happened. */
export async function saveWorld(sender: Sender): Promise<string> {
  const { message } = await sender.request({ case: 'saveWorld', value: {} });
  return message;
}
