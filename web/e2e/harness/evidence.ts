/** What is kept of a try that failed: pictures and words of its pages, and what its servers said. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { RunnerTestCase } from 'vitest';

import { errorText } from '../../src/lib/errorText';
import { wordsOf } from './browser';
import { Server } from './server';

/** A try of a journey that failed. */
export interface FailedTry {
  readonly errors: readonly string[];
  /** Below `web/`. */
  readonly files: readonly string[];
}

declare module 'vitest' {
  interface TaskMeta {
    failedTries?: readonly FailedTry[];
  }
}

const WEB = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(WEB, 'e2e/.out/failed');
/** A page that hangs gives no picture; what else is known of it is kept. */
const PICTURE_MS = 10_000;

/** Notes a failed try with the test, where the reporter finds it. */
export async function keepEvidence(task: RunnerTestCase, browser: Browser): Promise<void> {
  const before = task.meta.failedTries ?? [];
  const told = before.flatMap(({ errors }) => errors).length;
  const errors = (task.result?.errors ?? []).slice(told).map(({ message }) => message);
  const stem = path.join(FOLDER, `${nameOf(task)}-try-${before.length + 1}`);
  mkdirSync(FOLDER, { recursive: true });
  const pages = browser.contexts().flatMap((context) => context.pages());
  const ofPages = await Promise.all(pages.map((page, n) => keepPage(page, `${stem}-page-${n + 1}`)));
  const ofServers = Server.running.map((server, n) => keepServer(server, `${stem}-server-${n + 1}`));
  const files = [...ofPages.flat(), ...ofServers].map((file) => path.relative(WEB, file));
  task.meta.failedTries = [...before, { errors, files }];
}

async function keepPage(page: Page, stem: string): Promise<readonly string[]> {
  const [picture, words] = [`${stem}.png`, `${stem}.txt`];
  const failure = await page.screenshot({ path: picture, timeout: PICTURE_MS }).then(() => undefined, errorText);
  writeFileSync(words, [page.url(), ...(failure === undefined ? [] : [`No picture: ${failure}`]), ...wordsOf(page), ''].join('\n'));
  return failure === undefined ? [picture, words] : [words];
}

function keepServer({ line, child, errors }: (typeof Server.running)[number], stem: string): string {
  const file = `${stem}.txt`;
  const state = child.exitCode === null && child.signalCode === null ? 'runs' : `ended with ${child.signalCode ?? String(child.exitCode)}`;
  writeFileSync(file, [`${line}: ${state}`, ...errors, ''].join('\n'));
  return file;
}

/** File and name of a test, as a name of files. */
function nameOf({ file, name }: RunnerTestCase): string {
  return `${path.basename(file.name, '.ts')}-${name}`.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-').slice(0, 100);
}
