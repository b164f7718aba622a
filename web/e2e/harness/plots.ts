/** The Plots panel as a person works it. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import type { Workbench } from './browser';

export class PlotsPanel {
  readonly page: Page;

  private constructor(readonly bench: Workbench) {
    this.page = bench.page;
  }

  /** Opens the panel and gives it all the room. */
  static async open(bench: Workbench): Promise<PlotsPanel> {
    const panel = new PlotsPanel(bench);
    await bench.button('Plots').click();
    await bench.button('Maximise dock').click();
    await panel.tree.getByRole('treeitem', { name: 'Models', exact: true }).waitFor();
    return panel;
  }

  get tree(): Locator {
    return this.page.getByRole('tree', { name: 'Signals', exact: true });
  }

  /** A row of the tree, by its label. */
  row(name: string): Locator {
    return this.tree.getByRole('treeitem', { name, exact: true });
  }

  /** Opens row after row, as deep as the labels go, and returns the last. */
  async browse(...labels: readonly string[]): Promise<Locator> {
    let level = 1;
    for (const label of labels) {
      const row = this.tree.locator(`[role=treeitem][aria-level="${level}"][aria-label="${label}"]`).last();
      await row.waitFor();
      if (level < labels.length && (await row.getAttribute('aria-expanded')) === 'false') {
        await row.getByRole('button', { name: `Expand ${label}` }).click();
      }
      level += 1;
    }
    return this.row(labels.at(-1) ?? '').last();
  }

  async search(text: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Search signals' }).fill(text);
  }

  plot(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  canvas(name: string): Locator {
    return this.plot(name).getByRole('application');
  }

  curve(plot: string, label: string): Locator {
    return this.plot(plot).getByRole('list', { name: 'Legend' }).getByRole('button', { name: label, exact: true });
  }

  /** Waits until a curve is heard: what happened before is not on it. */
  async heard(plot: string, label: string): Promise<void> {
    const button = this.page.getByRole('button', { name: label, exact: true });
    await this.plot(plot).locator('li[data-heard=true]').filter({ has: button }).waitFor();
  }

  /** The number beside a curve, without its unit. */
  async value(plot: string, label: string): Promise<number> {
    const text = (await this.plot(plot).getByLabel(`Value of ${label}`, { exact: true }).textContent()) ?? '';
    return Number.parseFloat(text.replaceAll('−', '-'));
  }

  /** The times that a plot has in view. */
  async range(plot: string): Promise<readonly [number, number]> {
    const canvas = this.canvas(plot);
    return [Number(await canvas.getAttribute('data-from')), Number(await canvas.getAttribute('data-to'))];
  }

  async box(plot: string): Promise<{ x: number; y: number; width: number; height: number }> {
    const box = await this.canvas(plot).boundingBox();
    if (box === null) {
      throw new Error(`${plot} is not on screen`);
    }
    return box;
  }

  /** Moves the mouse over the curves, at a share of the canvas. */
  async hover(plot: string, xShare: number, yShare = 0.5): Promise<void> {
    const box = await this.box(plot);
    await this.page.mouse.move(box.x + box.width * xShare, box.y + box.height * yShare);
  }

  /** Counts pixels of the curves whose colour is near one, where the axes are not. */
  async pixels(plot: string, [red, green, blue]: readonly [number, number, number], tolerance = 24): Promise<number> {
    return this.canvas(plot).locator('canvas').evaluate(
      (canvas: HTMLCanvasElement, wanted) => {
        const context = canvas.getContext('2d');
        const data = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
        let count = 0;
        for (let i = 0; i < data.length; i += 4) {
          const near = wanted.color.every((part, at) => Math.abs((data[i + at] ?? 0) - part) <= wanted.tolerance);
          count += near && (data[i + 3] ?? 0) > 200 ? 1 : 0;
        }
        return count;
      },
      { color: [red, green, blue], tolerance },
    );
  }

  /** Loads a layout by the file dialog, as a person does. */
  async load(text: string): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser');
    await this.choose('Save', 'Load layout…');
    await (await chooser).setFiles({ name: 'layout.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  }

  /** Chooses from the menu Save and returns the file. */
  async save(item: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
    const started = this.page.waitForEvent('download');
    await this.choose('Save', item);
    const download = await started;
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  }

  /** Opens a menu by its button and chooses from it. */
  async choose(button: string, item: string): Promise<void> {
    await this.bench.button(button).click();
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** Makes a derived item in the dialog. */
  async derive(name: string, expression: string, unit = ''): Promise<void> {
    await this.bench.button('New derived item').click();
    await this.dialog.getByLabel('Name', { exact: true }).fill(name);
    await this.dialog.getByLabel('Expression', { exact: true }).fill(expression);
    await this.dialog.getByLabel('Unit', { exact: true }).fill(unit);
    await this.dialog.getByRole('button', { name: 'Create' }).click();
  }

  /** Keeps a picture without the notices that lie over the plots. */
  async picture(name: string): Promise<void> {
    if ((await this.dialog.count()) === 0) {
      // In one go: some go by themselves, and whoever waited for their button would wait in vain.
      const notices = this.page.getByRole('log', { name: 'Notifications' }).getByRole('button', { name: 'Dismiss' });
      await notices.evaluateAll((buttons: HTMLElement[]) => {
        buttons.forEach((button) => {
          button.click();
        });
      });
    }
    await this.bench.picture(name);
  }

  /** Waits until a plot has drawn samples up to a time; that the time is in view says nothing. */
  async untilTime(plot: string, secs: number): Promise<void> {
    const newest = async (): Promise<number> => Number((await this.canvas(plot).getAttribute('data-newest')) ?? Number.NaN);
    await expect.poll(newest, { timeout: 60_000 }).toBeCloseTo(secs, 3);
  }
}
