/** The bars of a recording and of a log, as a person works them. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

import type { Workbench } from './browser';

/** What the button says: `REC 00:12 · 3.4 MB`. */
export async function recorded(bench: Workbench): Promise<{ readonly secs: number; readonly size: string } | undefined> {
  const text = (await bench.button('Record').textContent()) ?? '';
  const [, minutes, secs, size] = /REC (\d+):(\d+) · (.+)/u.exec(text.trim()) ?? [];
  return size === undefined ? undefined : { secs: Number(minutes) * 60 + Number(secs), size };
}

/** The strip below the view of a log. */
export class PlaybackStrip {
  constructor(readonly bench: Workbench) {}

  get slider(): Locator {
    return this.bench.page.getByRole('slider', { name: 'Timeline' });
  }

  mark(kind: 'jump' | 'command' | 'gap'): Locator {
    return this.slider.locator(`[data-kind=${kind}]`);
  }

  /** The recording time of the state that is shown, in seconds. */
  async atSecs(): Promise<number> {
    return Number.parseFloat((await this.bench.page.getByLabel('Recording time', { exact: true }).textContent()) ?? '');
  }

  async simSecs(): Promise<number> {
    return Number.parseFloat((await this.bench.page.getByLabel('Shown sim time', { exact: true }).textContent()) ?? '');
  }

  /** Waits for both times, to the hundredth that is shown. */
  async untilAt(atSecs: number, simSecs: number): Promise<void> {
    await expect.poll(() => this.atSecs(), { timeout: 20_000 }).toBeCloseTo(atSecs, 2);
    await expect.poll(() => this.simSecs(), { timeout: 20_000 }).toBeCloseTo(simSecs, 2);
  }

  /** Goes to a simulated time by the field. */
  async goTo(simSecs: string): Promise<void> {
    const field = this.bench.page.getByLabel('Go to sim time', { exact: true });
    await field.fill(simSecs);
    await field.press('Enter');
  }

  /** Drags from one share of the timeline to another. */
  async drag(from: number, to: number): Promise<void> {
    const box = await this.slider.boundingBox();
    if (box === null) {
      throw new Error('the timeline is not on screen');
    }
    const { mouse } = this.bench.page;
    const y = box.y + box.height / 2;
    await mouse.move(box.x + box.width * from, y);
    await mouse.down();
    await mouse.move(box.x + box.width * to, y, { steps: 20 });
    await mouse.up();
  }

  get pass(): Locator {
    return this.bench.page.getByLabel('Pass', { exact: true });
  }
}
