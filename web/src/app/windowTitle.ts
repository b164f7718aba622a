import type { Session } from './session.svelte';

/** What the window is called. */
export function titleOf({ worldName, playing }: Pick<Session, 'worldName' | 'playing'>): string {
  if (playing.file !== undefined) {
    return `${playing.file.name} (recording) – Retake`;
  }
  return worldName === '' ? 'Retake' : `${worldName} – Retake`;
}
