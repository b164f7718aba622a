/** Looks for what keeps people with other eyes, ears and hands out, with the rules of axe. */
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

declare global {
  interface Window {
    readonly axe?: { run(options: RunOptions): Promise<AxeResults> };
  }
}

/** Returns serious and critical findings, one line for each element. */
export async function audit(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => window.axe !== undefined))) {
    // The page lets no foreign script in; what the browser itself evaluates is none.
    const { readFileSync } = await import('node:fs');
    await page.evaluate(readFileSync(AXE, 'utf8'));
  }
  const results = await page.evaluate(() => window.axe?.run({ resultTypes: ['violations'] }));
  return (results?.violations ?? [])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${(failureSummary ?? '').replaceAll(/\s+/gu, ' ')}`));
}
