/** Folders that a try of a journey has for itself: what is saved, logged or copied goes there. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folders: string[] = [];

/** Makes an empty folder, which is gone when the try is over. */
export function ownFolder(purpose: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `retake-${purpose}-`));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) {
    rmSync(folder, { recursive: true, force: true });
  }
}
