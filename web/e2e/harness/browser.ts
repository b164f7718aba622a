/** Debian's Chromium with the page in it. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';

import type { RetakeHook } from '../../src/app/hook';

declare global {
  interface Window {
    readonly __retake?: RetakeHook;
    /** Every notice that was shown, also those that are gone. */
    readonly __told?: readonly string[];
  }
}

const CHROMIUM = process.env['CHROMIUM_BIN'] ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox', '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist', '--disable-accelerated-2d-canvas',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];
const OUT = path.resolve(
  import.meta.dirname,
  process.env['RETAKE_SHOTS'] === '1' ? '../../../docs/guide/img' : '../.out',
);

export function launch(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`${CHROMIUM} is not there. Install it with: apt-get install chromium (or set CHROMIUM_BIN)`);
  }
  // A page out of a folder has no address of its own, and would not be let to the server beside it.
  const more = process.env['RETAKE_PAGE'] === undefined ? [] : ['--disable-features=LocalNetworkAccessChecks'];
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...more] });
}

/**
 * Takes the page's own files from the folder `RETAKE_PAGE`, if that is set, instead of from the
 * binary: `vite build` is faster than cargo for those who work on the page.
 */
async function servePage(page: Page): Promise<void> {
  const folder = process.env['RETAKE_PAGE'];
  if (folder === undefined) {
    return;
  }
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = path.join(folder, pathname === '/' ? 'index.html' : pathname);
    await (existsSync(file) && statSync(file).isFile() ? route.fulfill({ path: file }) : route.continue());
  });
}

/** So many lines of what a page says are kept. */
const LINES_KEPT = 500;
const words = new WeakMap<Page, string[]>();

/** What a page said so far, for those who look into a failure. */
export function wordsOf(page: Page): readonly string[] {
  return words.get(page) ?? [];
}

/** Opens an empty page that shares nothing with others, and writes down what it says. */
export async function newPage(browser: Browser, theme: 'dark' | 'light' = 'dark'): Promise<Page> {
  // Without motion the camera is where it goes at once, so that clicks hit what they should.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: theme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const lines: string[] = [];
  const note = (line: string): void => {
    lines.push(`${new Date().toISOString()} ${line}`);
    lines.splice(0, lines.length - LINES_KEPT);
  };
  words.set(page, lines);
  page.on('console', (message) => {
    note(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    note(`fault: ${error.stack ?? error.message}`);
  });
  page.on('crash', () => {
    note('the page crashed');
  });
  page.on('requestfailed', (request) => {
    note(`no answer from ${request.url()}: ${request.failure()?.errorText ?? ''}`);
  });
  page.on('websocket', (socket) => {
    note(`connects to ${socket.url()}`);
    socket.on('close', () => {
      note(`lost ${socket.url()}`);
    });
  });
  await page.addInitScript(noteNotices);
  await servePage(page);
  return page;
}

/** Notes every notice: most go by themselves after a while, whoever looks too late would miss them. */
function noteNotices(): void {
  const told: string[] = [];
  Object.defineProperty(window, '__told', { value: told });
  const known = new WeakMap<Element, string>();
  new MutationObserver(() => {
    for (const notice of document.querySelectorAll('[role=log][aria-label=Notifications] .text')) {
      const text = notice.textContent.trim().replaceAll(/\s+/gu, ' ');
      if (known.get(notice) !== text) {
        known.set(notice, text);
        told.push(text);
      }
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

const workbenches = new WeakMap<Page, Workbench>();

/** What the browser says of a host that is gone, whatever the page wanted of it. */
const LOST = /WebSocket|net::ERR_(?:CONNECTION_(?:REFUSED|RESET|CLOSED)|EMPTY_RESPONSE)/u;

/** The page as a person meets it. Waits are on conditions, never on time. */
export class Workbench {
  /** What went wrong in the page; a journey fails when there is anything. */
  readonly faults: string[] = [];
  /** Places of the notices that a journey has waited for. */
  private readonly heard = new Set<number>();

  private constructor(readonly page: Page) {
    workbenches.set(page, this);
    page.on('domcontentloaded', () => {
      this.heard.clear();
    });
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      // A lost connection is reported by the browser itself; the journeys look at the banner.
      if (message.type() === 'error' && !LOST.test(message.text())) {
        this.faults.push(message.text());
      }
    });
  }

  /** Those whose pages are still open. */
  static opened(browser: Browser): readonly Workbench[] {
    return browser.contexts().flatMap((context) => context.pages()).flatMap((page) => workbenches.get(page) ?? []);
  }

  /** Opens the page; `prepare` comes before it is loaded. */
  static async open(
    browser: Browser, url: string, theme: 'dark' | 'light' = 'dark', prepare: (page: Page) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Workbench> {
    const workbench = new Workbench(await newPage(browser, theme));
    await prepare(workbench.page);
    await workbench.page.goto(url);
    await workbench.connected();
    return workbench;
  }

  async close(): Promise<void> {
    // Before it closes, too: of an open page there is a picture.
    expect(this.faults).toEqual([]);
    await this.page.context().close();
    expect(this.faults).toEqual([]);
  }

  async connected(): Promise<void> {
    await this.page.waitForFunction(() => window.__retake?.connected === true);
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** A row of the tree; a model rather than a world of the same name. */
  row(name: string): Locator {
    return this.page.getByRole('tree', { name: 'Entities' }).getByRole('treeitem', { name, exact: true }).last();
  }

  get inspector(): Locator {
    return this.page.getByRole('region', { name: 'Inspector' });
  }

  /** Selects an entity by its path, as `arm::elbow`, going through the tree with the keys. */
  async select(path: string, kind = ''): Promise<void> {
    const [model = '', ...parts] = path.split('::');
    await this.row(model).click();
    for (const [depth, part] of parts.entries()) {
      const wanted = depth === parts.length - 1 ? kind : '';
      if ((await this.selectedRow()).expanded === 'false') {
        await this.page.keyboard.press('ArrowRight');
      }
      const level = depth + 3;
      for (;;) {
        await this.page.keyboard.press('ArrowDown');
        const row = await this.selectedRow();
        if (row.level === level && row.name === part && row.title.includes(`(${wanted}`)) {
          break;
        }
        if (row.level < level) {
          throw new Error(`the tree has no ${kind} ${path}`);
        }
      }
    }
    await this.inspector.getByRole('heading', { name: parts.at(-1) ?? model, exact: true, level: 3 }).waitFor();
  }

  private selectedRow(): Promise<{ name: string; title: string; level: number; expanded: string }> {
    return this.page.getByRole('treeitem', { selected: true }).evaluate((row) => ({
      name: row.getAttribute('aria-label') ?? '',
      title: row.getAttribute('title') ?? '',
      level: Number(row.getAttribute('aria-level')),
      expanded: row.getAttribute('aria-expanded') ?? '',
    }));
  }

  /** A field of the inspector. */
  field(name: string): Locator {
    return this.inspector.getByLabel(name, { exact: true });
  }

  /** Types into a field and sends it. */
  async set(name: string, text: string): Promise<void> {
    await this.field(name).fill(text);
    await this.field(name).press('Enter');
  }

  /** Waits until a field shows a text. */
  async untilField(name: string, text: string | RegExp): Promise<void> {
    await expect.poll(() => this.field(name).inputValue(), { timeout: 20_000 }).toMatch(typeof text === 'string' ? new RegExp(`^${text}$`, 'u') : text);
  }

  /** Inserts something by the button for it, as near to the origin as there is room. */
  async insert(item: string): Promise<void> {
    await this.takeInHand(item);
    await this.page.keyboard.press('Enter');
  }

  /** Chooses something new, which follows the pointer then. */
  async takeInHand(item: string): Promise<void> {
    await this.button('Insert').click();
    await this.page.getByRole('menu', { name: 'Insert' }).getByRole('menuitem', { name: item, exact: true }).click();
  }

  /** Chooses what to add to the selected entity, and returns the dialog. */
  async add(item: string): Promise<Locator> {
    await this.inspector.getByRole('button', { name: 'Add', exact: true }).click();
    await this.page.getByRole('menu', { name: 'Add', exact: true }).getByRole('menuitem', { name: item, exact: true }).click();
    return this.page.getByRole('dialog');
  }

  status(name: string): Locator {
    return this.page.getByRole('status', { name, exact: true });
  }

  async simTimeSecs(): Promise<number> {
    return Number.parseFloat((await this.status('Sim time').textContent()) ?? '');
  }

  async position(name: string): Promise<readonly [number, number, number]> {
    const pose = await this.page.evaluate((path) => window.__retake?.entityWorldPose(path), name);
    if (pose === undefined) {
      throw new Error(`the page knows no entity ${name}`);
    }
    return pose.position;
  }

  /** Where the ghost has a link. */
  async ghostPosition(path: string): Promise<readonly [number, number, number] | undefined> {
    return (await this.page.evaluate((link) => window.__retake?.ghostWorldPose(link), path))?.position;
  }

  /** Waits until an entity is farther than `metres` from a place, or nearer than that. */
  async untilDistance(name: string, from: readonly number[], relation: 'farther' | 'nearer', metres: number): Promise<void> {
    await this.page.waitForFunction(
      ({ name, from, relation, metres }) => {
        const at = window.__retake?.entityWorldPose(name)?.position;
        const distance = at && Math.hypot(...at.map((value, i) => value - (from[i] ?? 0)));
        return distance !== undefined && (relation === 'farther' ? distance > metres : distance < metres);
      },
      { name, from, relation, metres },
    );
  }

  /** Waits until an entity leans by more than `degrees` from upright, or by less. */
  async untilTilt(name: string, relation: 'above' | 'below', degrees: number): Promise<void> {
    await this.page.waitForFunction(
      ({ name, relation, degrees }) => {
        const rotation = window.__retake?.entityWorldPose(name)?.rotation;
        if (rotation === undefined) {
          return false;
        }
        const [x, y] = rotation;
        const tilt = (Math.acos(Math.min(1, Math.max(-1, 1 - 2 * (x * x + y * y)))) * 180) / Math.PI;
        return relation === 'above' ? tilt > degrees : tilt < degrees;
      },
      { name, relation, degrees },
    );
  }

  /** Waits until the clock shows a time, in seconds: things are where they were then, for it is that of the poses. */
  async untilSimTime(secs: number): Promise<void> {
    await expect.poll(() => this.simTimeSecs(), { timeout: 60_000 }).toBeCloseTo(secs, 3);
  }

  /** Lets the world run, and waits until the page knows that it does. */
  async play(): Promise<void> {
    await this.button('Play').click();
    await this.button('Pause').waitFor();
  }

  /** Stops the world, and waits until the page knows that it stands. */
  async pause(): Promise<void> {
    await this.button('Pause').click();
    await this.button('Play').waitFor();
  }

  /**
   * Waits until the next undo is of this: the server, which a journey asks by the command line, may
   * know of a command before the page does.
   */
  async untilUndo(description: string | RegExp): Promise<void> {
    const title = (): Promise<string | null> => this.button('Undo').getAttribute('title');
    await expect.poll(title, { timeout: 20_000 }).toMatch(typeof description === 'string' ? `Undo ${description} (Ctrl+Z)` : description);
  }

  /** The list that the small arrow beside Undo or Redo opens. */
  historyList(name: 'Undo history' | 'Redo history'): Locator {
    return this.page.getByRole('menu', { name, exact: true });
  }

  /** What the History tab shows, from top to bottom. */
  async timeline(): Promise<readonly string[]> {
    return this.page.getByRole('list', { name: 'Timeline' }).locator('.what').allTextContents();
  }

  /** Waits until a notice was shown that nobody has waited for yet; it may be gone by now. */
  async told(text: string | RegExp): Promise<void> {
    const plain = typeof text === 'string' ? text.replaceAll(/\s+/gu, ' ') : undefined;
    const fits = (notice: string): boolean => (plain === undefined ? new RegExp(text).test(notice) : notice.includes(plain));
    const notices = (): Promise<readonly string[]> => this.page.evaluate(() => window.__told ?? []);
    const find = async (): Promise<number> => (await notices()).findIndex((notice, place) => !this.heard.has(place) && fits(notice));
    await expect.poll(find, { timeout: 30_000, message: `a notice like ${String(text)}` }).toBeGreaterThanOrEqual(0);
    this.heard.add(await find());
  }

  toast(text: string | RegExp): Locator {
    return this.page.getByRole('log', { name: 'Notifications' }).getByText(text);
  }

  /** Keeps a picture, for people to look at and for the guide. */
  async picture(name: string): Promise<void> {
    mkdirSync(OUT, { recursive: true });
    await this.page.screenshot({ path: path.join(OUT, `${name}.png`) });
  }
}
