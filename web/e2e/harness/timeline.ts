/** The timeline of a running world as a person works it. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

import type { Workbench } from './browser';

export class TimelineStrip {
  constructor(readonly bench: Workbench) {}

  get region(): Locator {
    return this.bench.page.getByRole('region', { name: 'Timeline', exact: true });
  }

  get slider(): Locator {
    return this.bench.page.getByRole('slider', { name: 'Timeline', exact: true });
  }

  /** Says in the 3D view that the past is shown. */
  get past(): Locator {
    return this.bench.status('Past');
  }

  mark(kind: 'jump' | 'fork' | 'bookmark' | 'gap'): Locator {
    return this.slider.locator(`[data-kind=${kind}]`);
  }

  /** The lane of a branch; only while all are shown. */
  lane(branch: string): Locator {
    return this.slider.locator(`[data-branch="${branch}"]`);
  }

  /** The time of what the page shows, in seconds. */
  async shownSecs(): Promise<number> {
    const [, secs = ''] = /Past · ([\d.]+) s/u.exec((await this.past.textContent()) ?? '') ?? [];
    return Number.parseFloat(secs);
  }

  /** Where a time is on the screen, in the lane of a branch or the only one; waits until it is kept. */
  async pointOf(secs: number, branch?: string): Promise<readonly [number, number]> {
    await expect.poll(async () => Number(await this.slider.getAttribute('data-to'))).toBeGreaterThanOrEqual(secs);
    const box = await (branch === undefined ? this.slider : this.lane(branch)).boundingBox();
    if (box === null) {
      throw new Error('the timeline is not on screen');
    }
    const [from, to] = await Promise.all(['data-from', 'data-to'].map(async (name) => Number(await this.slider.getAttribute(name))));
    return [box.x + (box.width * (secs - (from ?? 0))) / ((to ?? 1) - (from ?? 0)), box.y + box.height / 2];
  }

  /** Clicks at a time and waits until about that time is shown; returns which it is. */
  async look(secs: number, branch?: string): Promise<number> {
    const [x, y] = await this.pointOf(secs, branch);
    await this.bench.page.mouse.click(x, y);
    await expect.poll(async () => Math.abs((await this.shownSecs()) - secs), { timeout: 20_000 }).toBeLessThan(0.03);
    return this.shownSecs();
  }

  /** Drags from one time to another. */
  async drag(from: number, to: number): Promise<void> {
    const [[x, y], [toX, toY]] = [await this.pointOf(from), await this.pointOf(to)];
    const { mouse } = this.bench.page;
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(toX, toY, { steps: 30 });
    await mouse.up();
  }

  /** Shows all branches. */
  async open(): Promise<void> {
    await this.bench.page.getByRole('button', { name: /^Show \d+ branch/u }).click();
    await this.bench.page.getByRole('list', { name: 'Branches', exact: true }).waitFor();
  }

  /** Names of the branches from top to bottom; only while all are shown. */
  async branches(): Promise<readonly string[]> {
    return this.bench.page.getByRole('list', { name: 'Branches', exact: true }).locator('.name').allTextContents();
  }

  /** Chooses from the menu of a branch or a bookmark. */
  async choose(what: 'Branch' | 'Bookmark', name: string, item: string): Promise<void> {
    await this.bench.button(`${what} ${name}`).click();
    await this.bench.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  /** Types a name into the dialog and sends it. */
  async name(text: string, answer: string): Promise<void> {
    const dialog = this.bench.page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(text);
    await dialog.getByRole('button', { name: answer, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  async untilLive(): Promise<void> {
    await this.past.waitFor({ state: 'detached' });
  }
}
