/** A person looks back, goes on from the past, and keeps branches and moments. */
import { beforeEach, expect, it } from 'vitest';

import type { Workbench } from '../harness/browser';
import { journeyOn } from '../harness/journey';
import { PlotsPanel } from '../harness/plots';
import { TimelineStrip } from '../harness/timeline';

const journey = journeyOn('cones');
const cli = (...args: readonly string[]) => journey.server.command(...args);

// Each test begins with two seconds of the past and nothing else.
beforeEach(async () => {
  await cli('world', 'step', '2000');
});

async function open(theme?: 'dark' | 'light'): Promise<TimelineStrip> {
  const bench = await journey.open(theme);
  await bench.untilSimTime(2);
  await bench.page.waitForFunction(() => document.querySelector('[role=slider][aria-label=Timeline]') !== null);
  return new TimelineStrip(bench);
}

/** Where the vehicle was, as the server tells it. */
async function vehicleAt(when: string, ...more: readonly string[]): Promise<readonly number[]> {
  const told = JSON.parse(await cli('timeline', 'goto', when, '--entity', 'vehicle', ...more, '--format', 'json')) as { entities: { pose: number[] }[] };
  return told.entities[0]?.pose.slice(0, 3) ?? [];
}

async function untilVehicleAt(bench: Workbench, place: readonly number[]): Promise<void> {
  await bench.untilDistance('vehicle', place, 'nearer', 1e-5);
}

it('scrubs: the world is seen as it was, while the real one goes on', async () => {
  const strip = await open();
  const { bench } = strip;
  await bench.row('vehicle').click();
  const now = await bench.position('vehicle');
  const view = await bench.page.locator('.scene canvas').boundingBox();
  await strip.drag(1.9, 0.5);
  await expect.poll(async () => Math.abs((await strip.shownSecs()) - 0.5), { timeout: 20_000 }).toBeLessThan(0.03);
  const shown = await strip.shownSecs();
  await untilVehicleAt(bench, await vehicleAt(String(shown)));
  await bench.untilDistance('vehicle', now, 'farther', 0.3);
  expect(await strip.slider.getAttribute('aria-valuetext')).toBe(`Past, ${shown.toFixed(3)} s on main`);

  // The real world goes on; the clock is its own.
  await cli('world', 'step', '500');
  await bench.untilSimTime(2.5);
  await untilVehicleAt(bench, await vehicleAt(String(shown)));
  expect(await strip.shownSecs()).toBe(shown);
  await bench.page.mouse.move(640, 300);
  await bench.button('Resume from here').waitFor();
  // The picture does not jump when the ways out of the past come.
  expect(await bench.page.locator('.scene canvas').boundingBox()).toEqual(view);
  await bench.picture('timeline-past');

  // Nothing can be edited, and the page says why.
  expect(await bench.button('Translate').isDisabled()).toBe(true);
  expect(await bench.button('Undo').isDisabled()).toBe(true);
  expect(await bench.button('Reset').isDisabled()).toBe(true);
  await bench.page.keyboard.press('Delete');
  await bench.told('The past cannot be edited. Resume from here, or go back to live (Esc)');

  await bench.page.keyboard.press('Escape');
  await strip.untilLive();
  await untilVehicleAt(bench, await vehicleAt('end'));
  expect(await bench.button('Translate').isDisabled()).toBe(false);
  await bench.close();
});

it('shows no contacts of the present at things of the past', async () => {
  const strip = await open();
  const { bench } = strip;
  await bench.button('Overlays').click();
  await bench.page.getByRole('menuitemcheckbox', { name: 'Contacts', exact: true }).click();
  const note = bench.status('Contacts');
  await expect.poll(() => note.textContent()).toMatch(/\d+ contact points?, up to/u);
  await strip.look(0.5);
  await expect.poll(() => note.textContent()).toBe('Contacts are not kept of the past');
  await bench.button('Overlays').click();
  await bench.page.getByRole('menuitemcheckbox', { name: 'Contacts (not kept of the past)', exact: true }).waitFor();
  await bench.page.keyboard.press('Escape');
  await bench.page.keyboard.press('Escape');
  await strip.untilLive();
  await expect.poll(() => note.textContent()).toMatch(/\d+ contact points?, up to/u);
  await bench.close();
});

it('goes by keys alone, and step by step', async () => {
  const strip = await open('light');
  const { bench, slider } = strip;
  await slider.focus();
  await slider.press('Home');
  await expect.poll(() => strip.shownSecs()).toBe(0);
  await slider.press('ArrowRight');
  await expect.poll(() => strip.shownSecs()).toBeCloseTo(0.01, 6);
  await slider.press('PageUp');
  await expect.poll(() => strip.shownSecs()).toBeCloseTo(0.21, 6);
  await slider.press('Escape');
  await strip.untilLive();
  // One step of the world back, and on again.
  await bench.page.keyboard.press(',');
  await bench.page.keyboard.press(',');
  await expect.poll(() => strip.shownSecs()).toBeCloseTo(1.998, 6);
  await bench.page.keyboard.press('.');
  await expect.poll(() => strip.shownSecs()).toBeCloseTo(1.999, 6);
  await slider.press('End');
  await strip.untilLive();
  await bench.untilSimTime(2);
  await bench.close();
});

it('resumes from the past for everybody; Undo brings the future back', async () => {
  const strip = await open();
  const other = await open('light');
  const { bench } = strip;
  const whole = await bench.position('vehicle');
  const shown = await strip.look(0.5);
  const half = await vehicleAt(String(shown));
  // Whoever looks back alone is no concern of others.
  await untilVehicleAt(other.bench, whole);
  await bench.button('Resume from here').click();
  await strip.untilLive();
  for (const { bench: page } of [strip, other]) {
    await page.untilSimTime(shown);
    await untilVehicleAt(page, half);
    await page.page.getByText('2 branches').waitFor();
  }
  await bench.told(/^Resumed from /u);
  await other.bench.told(/^page \d+ resumed from /u);
  expect(await strip.mark('fork').getAttribute('title')).toMatch(/^main-\d+ leaves here, at 0\.\d+ s\. Left at 2\.000 s by page \d+: /u);

  await cli('world', 'step', '300');
  await bench.untilSimTime(shown + 0.3);
  await bench.button('Undo').click();
  for (const { bench: page } of [strip, other]) {
    await page.untilSimTime(2);
    await untilVehicleAt(page, whole);
  }
  await bench.button('Redo').click();
  await other.bench.untilSimTime(shown + 0.3);
  await bench.close();
  await other.bench.close();
});

it('names moments, forks, switches, renames and deletes', async () => {
  const strip = await open();
  const { bench } = strip;
  await bench.button('Bookmark…').click();
  await strip.name('two seconds', 'Bookmark');
  const shown = await strip.look(1);
  await bench.button('Bookmark…').click();
  await strip.name('first turn', 'Bookmark');
  await expect.poll(() => strip.mark('bookmark').count()).toBe(2);

  await bench.button('Fork from here…').click();
  await strip.name('two seconds', 'Fork');
  await bench.untilSimTime(shown);
  await cli('entity', 'move', 'cone_2', '--by', '1', '1', '0');
  await cli('world', 'step', '1800');
  await bench.untilSimTime(shown + 1.8);
  await strip.open();
  await expect.poll(() => strip.branches()).toEqual(['two seconds', 'main']);
  await strip.choose('Branch', 'two seconds', 'Rename…');
  await strip.name('around the cone', 'Rename');
  await expect.poll(() => strip.branches()).toEqual(['around the cone', 'main']);
  await strip.look(1.6, 'main');
  await untilVehicleAt(bench, await vehicleAt(String(await strip.shownSecs()), '--branch', 'main'));
  await bench.picture('timeline-branches');

  await strip.choose('Branch', 'main', 'Switch to it');
  await strip.untilLive();
  await bench.untilSimTime(2);
  await expect.poll(() => strip.branches()).toEqual(['main', 'around the cone']);
  // A bookmark leads to its very instant.
  await bench.page.getByRole('list', { name: 'Bookmarks' }).getByRole('button', { name: /^first turn/u }).click();
  await expect.poll(() => strip.shownSecs()).toBe(shown);
  await bench.page.keyboard.press('Escape');
  await strip.choose('Bookmark', 'first turn', 'Delete…');
  await bench.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => strip.mark('bookmark').count()).toBe(1);
  await strip.choose('Branch', 'around the cone', 'Delete…');
  const dialog = bench.page.getByRole('dialog');
  expect(await dialog.textContent()).toContain('1.800 s of the past are forgotten, for everybody');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => strip.branches()).toEqual(['main']);
  await bench.close();
});

it('a name that is taken is refused in the dialog', async () => {
  const strip = await open();
  await cli('timeline', 'bookmark', 'start', '--at', '0.5');
  await strip.mark('bookmark').waitFor();
  await strip.bench.button('Bookmark…').click();
  const dialog = strip.bench.page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('start');
  await dialog.getByRole('button', { name: 'Bookmark', exact: true }).click();
  expect(await dialog.getByRole('alert').textContent()).toBe('There is a bookmark named “start” already');
  await strip.bench.page.keyboard.press('Escape');
  await strip.bench.close();
});

it('what there was no room for is hatched, and a click goes to the first instant that is kept', async () => {
  const strip = await open();
  const { bench } = strip;
  await cli('timeline', 'limit', '--age', '1');
  await cli('world', 'step', '2000');
  await bench.untilSimTime(4);
  await strip.mark('gap').waitFor();
  const title = (await strip.mark('gap').getAttribute('title')) ?? '';
  expect(title).toMatch(/^0\.000 s to \d\.\d{3} s is not kept any more: there was no room for it$/u);
  const kept = Number(/to (\d\.\d{3}) s/u.exec(title)?.[1]);
  expect(kept).toBeGreaterThan(2);
  const [x, y] = await strip.pointOf(kept - 0.1);
  await bench.page.mouse.move(x, y);
  await bench.page.getByText('is not kept').waitFor();
  await bench.picture('timeline-gap');
  await bench.page.mouse.click(x, y);
  await expect.poll(() => strip.shownSecs()).toBe(kept);
  await bench.page.keyboard.press('Escape');
  await bench.close();
});

it('a timeline that is off says so, and can be switched on', async () => {
  const strip = await open();
  const { bench } = strip;
  await cli('timeline', 'limit', '--memory', '0');
  await strip.region.getByText('The timeline is off.').waitFor();
  await bench.page.keyboard.press(',');
  await bench.told('The timeline is off. Nothing of the past is kept');
  await bench.button('Keep the past').click();
  await bench.page.getByRole('dialog').getByRole('button', { name: 'Keep', exact: true }).click();
  await strip.slider.waitFor();
  await bench.close();
});

it('compares two branches in a plot', async () => {
  const strip = await open();
  const { bench } = strip;
  const panel = await PlotsPanel.open(bench);
  await (await panel.browse('Models', 'vehicle', 'pose')).dblclick();
  const signal = 'vehicle::pose.position.x';
  await panel.heard('Plot 1', signal);
  await cli('world', 'step', '1500');
  await panel.untilTime('Plot 1', 3.5);
  await bench.button('Restore dock').click();
  const shown = await strip.look(2.5);
  await bench.button('Resume from here').click();
  await bench.untilSimTime(shown);
  await cli('entity', 'move', 'vehicle', '--by', '0.5', '0', '0');
  await cli('world', 'step', '1500');
  await bench.untilSimTime(shown + 1.5);

  await strip.open();
  const [, left = ''] = await strip.branches();
  await strip.choose('Branch', left, 'Compare in a plot…');
  const dialog = bench.page.getByRole('dialog');
  await dialog.getByLabel('First branch').selectOption('main');
  await dialog.getByLabel('Second branch').selectOption(left);
  await dialog.getByLabel('vehicle::pose.position.y').uncheck();
  await dialog.getByLabel('vehicle::pose.position.z').uncheck();
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
  const both = `main and ${left}`;
  const apart = `main minus ${left}`;
  await panel.plot(both).waitFor();
  await bench.button('Maximise dock').click();
  for (const branch of ['main', left]) {
    await panel.curve(both, `${signal} (${branch})`).waitFor();
  }
  // Both are drawn, and the first is half a metre ahead of the second.
  await expect.poll(() => panel.pixels(both, [0x5c, 0x85, 0xe7]), { timeout: 20_000 }).toBeGreaterThan(80);
  await expect.poll(() => panel.pixels(both, [0xc2, 0x6c, 0x00]), { timeout: 20_000 }).toBeGreaterThan(80);
  await panel.hover(apart, 0.6);
  await expect.poll(async () => Math.abs((await panel.value(apart, `Δ ${signal}`)) - 0.5), { timeout: 20_000 }).toBeLessThan(0.3);
  await panel.picture('timeline-compare');
  await bench.close();
});

it('the cursor of a plot shows the world at its time', async () => {
  const strip = await open();
  const { bench } = strip;
  const panel = await PlotsPanel.open(bench);
  await (await panel.browse('Models', 'cone_1', 'pose')).dblclick();
  await cli('world', 'step', '1000');
  await bench.untilSimTime(3);
  await bench.button('Restore dock').click();
  const plot = 'Plot 1';
  // Without the link the cursor is only a cursor.
  await panel.hover(plot, 0.3);
  expect(await strip.past.count()).toBe(0);
  await bench.button('Link 3D view').click();
  await panel.hover(plot, 0.25);
  await expect.poll(() => strip.shownSecs(), { timeout: 20_000 }).toBeGreaterThan(0);
  const box = await panel.box(plot);
  const shown = await strip.shownSecs();
  await untilVehicleAt(bench, await vehicleAt(String(shown)));
  expect(await panel.plot(plot).getByTitle('Shown in the 3D view').count()).toBe(1);
  await bench.page.mouse.move(box.x + box.width / 2, box.y - 200);
  await strip.untilLive();
  await untilVehicleAt(bench, await vehicleAt('end'));
  await bench.close();
});
