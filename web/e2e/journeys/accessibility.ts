/** Every panel, menu and dialog, in both themes, for people with a screen reader, without a mouse, or with weak eyes. */
import { expect, it } from 'vitest';

import { audit } from '../harness/audit';
import type { Workbench } from '../harness/browser';
import { journeyOn } from '../harness/journey';

const journey = journeyOn('arm');

const TABS = ['Plots', 'Motion', 'Physics', 'History', 'Messages', 'Topics'] as const;

/** Text that ends before it is over, and does not say all of it elsewhere; and what is not where it belongs. */
async function cutOff(bench: Workbench): Promise<readonly string[]> {
  return bench.page.evaluate(() => {
    const found: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight) {
      found.push('the page itself scrolls');
    }
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const style = getComputedStyle(element);
      const cut = element.scrollWidth > element.clientWidth + 1 && style.overflowX === 'hidden' && element.clientWidth > 0;
      const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '');
      const told = element.closest('[title]') !== null || element.closest('[aria-hidden=true]') !== null;
      if (cut && text && !told && element.getClientRects().length > 0) {
        found.push(`cut without a tooltip: ${element.tagName.toLowerCase()}.${element.className}: ${element.textContent.trim().slice(0, 60)}`);
      }
    }
    // What can be pressed is seen whole, unless it can be scrolled into sight.
    for (const control of document.querySelectorAll<HTMLElement>('button, select, input, [role=tab], [role=slider]')) {
      const { left, right, width } = control.getBoundingClientRect();
      for (let around = control.parentElement; width > 0 && around !== null; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around);
        const box = around.getBoundingClientRect();
        if (overflowX === 'auto' || overflowX === 'scroll') {
          break;
        }
        if ((overflowX === 'hidden' || overflowX === 'clip') && (left < box.left - 1 || right > box.right + 1)) {
          found.push(`out of sight: ${control.tagName.toLowerCase()} ${control.getAttribute('aria-label') ?? control.textContent.trim()}`);
          break;
        }
      }
    }
    for (const empty of document.querySelectorAll('.empty')) {
      const box = empty.getBoundingClientRect();
      for (const part of empty.querySelectorAll('*')) {
        const { left, top, right, bottom } = part.getBoundingClientRect();
        if (left < box.left || top < box.top || right > box.right || bottom > box.bottom) {
          found.push(`out of its place: ${part.tagName.toLowerCase()} of ${empty.textContent.trim().slice(0, 40)}`);
        }
      }
    }
    return found;
  });
}

async function look(bench: Workbench, where: string, found: string[]): Promise<void> {
  found.push(...[...(await audit(bench.page)), ...(await cutOff(bench))].map((fault) => `${where}: ${fault}`));
}

async function openTab(bench: Workbench, tab: string): Promise<void> {
  await bench.button(tab).click();
  await bench.page.getByRole('tab', { name: tab, exact: true, selected: true }).waitFor();
}

for (const theme of ['dark', 'light'] as const) {
  it(`${theme}: panels, menus and dialogs have no serious faults, and no text is cut off`, async () => {
    const bench = await journey.open(theme);
    const { page } = bench;
    const found: string[] = [];
    await bench.select('arm::elbow');
    await look(bench, 'the page', found);
    for (const tab of TABS) {
      await openTab(bench, tab);
      await look(bench, tab, found);
    }
    await bench.button('Close dock').click();
    for (const menu of ['File', 'Edit', 'View', 'Help']) {
      await page.getByRole('menuitem', { name: menu, exact: true }).click();
      await page.getByRole('menu').waitFor();
      await look(bench, `menu ${menu}`, found);
      await page.keyboard.press('Escape');
    }
    for (const button of ['Insert', 'Overlays', 'Look from']) {
      await bench.button(button).click();
      await page.getByRole('menu').waitFor();
      await look(bench, button, found);
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys and mouse' }).waitFor();
    await look(bench, 'help', found);
    await page.keyboard.press('Escape');
    await bench.row('arm').click();
    await bench.add('Add joint…');
    await look(bench, 'add dialog', found);
    expect(found).toEqual([]);
    await bench.close();
  });
}

it('has room for all tabs while the clock jumps, systems fail and others look', async () => {
  const bench = await journey.open();
  const other = await journey.open('light');
  await bench.select('arm::elbow');
  await bench.page.keyboard.press('Delete');
  await bench.row('elbow').waitFor({ state: 'detached' });
  await journey.server.command('world', 'step', '3000');
  await bench.page.locator('.status-bar .chip').filter({ hasText: 'stopped' }).waitFor();
  await expect.poll(() => bench.status('Clients').textContent()).toBe('2 pages');
  const jump = bench.page.getByLabel('Time jump', { exact: true });
  const [, found] = await Promise.all([journey.server.command('world', 'reset'), jump.waitFor().then(() => cutOff(bench))]);
  expect(found).toEqual([]);
  await other.close();
  await bench.close();
});

it('fits into 1920 × 1080 as well', async () => {
  const bench = await journey.open();
  await bench.page.setViewportSize({ width: 1920, height: 1080 });
  const found: string[] = [];
  await bench.select('arm::elbow');
  for (const tab of TABS) {
    await openTab(bench, tab);
    found.push(...(await cutOff(bench)).map((fault) => `${tab}: ${fault}`));
  }
  expect(found).toEqual([]);
  await bench.close();
});
