/** A person at the motion panel. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

import type { Workbench } from './browser';

export class Teacher {
  constructor(readonly bench: Workbench) {}

  /** Opens the panel and begins a motion. */
  async begin(): Promise<void> {
    await this.bench.button('Motion').click();
    await this.bench.button('Teach a motion').click();
    await this.panel.getByText('No waypoints yet').first().waitFor();
  }

  get panel(): Locator {
    return this.bench.page.getByRole('group', { name: 'Motion', exact: true });
  }

  get rows(): Locator {
    return this.panel.getByRole('grid', { name: 'Waypoints' }).locator('tbody tr[data-id]');
  }

  row(place: number): Locator {
    return this.rows.nth(place - 1);
  }

  async untilRows(count: number): Promise<void> {
    await expect.poll(() => this.rows.count(), { timeout: 20_000 }).toBe(count);
  }

  async tab(name: 'Table' | 'Timeline' | 'Setup'): Promise<void> {
    await this.panel.getByRole('tab', { name, exact: true }).click();
  }

  /** Lets the motion move these joints and no others. */
  async moveOnly(...joints: readonly string[]): Promise<void> {
    await this.tab('Setup');
    const all = this.panel.getByRole('switch', { name: 'All joints are moved' });
    await all.click();
    await expect.poll(() => this.panel.getByRole('switch', { name: /^The motion moves/u, checked: true }).count()).toBe(0);
    for (const joint of joints) {
      const moves = this.panel.getByRole('switch', { name: `The motion moves ${joint}` });
      await moves.click();
      await expect.poll(() => moves.isChecked()).toBe(true);
    }
    await this.tab('Table');
  }

  /** Selects a waypoint, whose cells can be edited then. */
  async select(place: number): Promise<void> {
    await this.row(place).getByRole('rowheader').click();
  }

  cell(what: string, place: number): Locator {
    return this.panel.getByRole('spinbutton', { name: `${what} ${what === 'Time' ? 'of' : 'at'} waypoint ${String(place)}`, exact: true });
  }

  /** Types a time or an angle into a waypoint. */
  async type(what: string, place: number, text: string): Promise<void> {
    await this.select(place);
    await this.cell(what, place).fill(text);
    await this.cell(what, place).press('Enter');
  }

  /** Numbers of a column as the table shows them. */
  async column(what: string): Promise<readonly number[]> {
    const cell = what === 'Time' ? 'time' : what;
    const cells = this.rows.locator(`[data-cell="${cell}"]`);
    const shown = await cells.evaluateAll((all) => all.map((one) => one.querySelector('input')?.value ?? one.textContent));
    return shown.map((text) => Number.parseFloat(text.replace('−', '-')));
  }

  async untilColumn(what: string, numbers: readonly number[]): Promise<void> {
    await expect.poll(() => this.column(what)).toEqual(numbers);
  }

  async addPose(twin: 'virtual' | 'real' = 'virtual'): Promise<void> {
    const before = await this.rows.count();
    await this.bench.button(`Add pose from ${twin}`).click();
    await this.untilRows(before + 1);
  }

  /** What stands beside the button. */
  async untilResult(twin: 'virtual' | 'real', text: string | RegExp): Promise<void> {
    await expect.poll(() => this.bench.status(`Result of executing ${twin}`).textContent(), { timeout: 60_000 }).toMatch(text);
  }

  /** Executes and waits for the end. */
  async execute(button: 'Execute virtual' | 'Execute real' | 'Execute real backward'): Promise<void> {
    const twin = button === 'Execute virtual' ? 'virtual' : 'real';
    await this.bench.button(button).click();
    await this.untilResult(twin, /Running/u);
    await this.untilResult(twin, /^\s*Done/u);
  }

  /** Adds a text action in the dialog. */
  async addAction(kind: string, command: string, timeSecs: string): Promise<void> {
    await this.bench.button('Add a text action…').click();
    const dialog = this.bench.page.getByRole('dialog', { name: 'Add a text action' });
    await dialog.getByRole('button', { name: kind, exact: true }).click();
    await dialog.getByLabel('Command').fill(command);
    await dialog.getByLabel('Time, s').fill(timeSecs);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  /** Saves under a name of one's own. */
  async saveAs(name: string): Promise<Locator> {
    await this.bench.button('Save as…').click();
    const dialog = this.bench.page.getByRole('dialog', { name: 'Save the motion' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    return dialog;
  }
}

/** Drags from the middle of what is named, by pixels, in even steps. */
export async function dragBy({ page }: Workbench, what: Locator, [dx, dy]: readonly [number, number]): Promise<void> {
  const box = await what.boundingBox();
  if (box === null) {
    throw new Error('there is nothing to drag');
  }
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx, y + dy, { steps: 8 });
  await page.mouse.up();
}
