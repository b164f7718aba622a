/** Plots are measured, compared with another run, and saved. */
import path from 'node:path';
import { expect, it } from 'vitest';

import { ownFolder } from '../harness/folders';
import { journeyOn } from '../harness/journey';
import { PlotsPanel } from '../harness/plots';

const journey = journeyOn('pendulums');
const ANGLE = 'wave_1::pivot::angle';
const BLUE = [0x5c, 0x85, 0xe7] as const;

/** One plot with the angle of a pendulum and its speed. */
const LAYOUT = JSON.stringify({
  version: 1,
  tab: [{
    id: 'tab', title: 'Swing',
    plot: [{ id: 'plot', title: 'Pendulum', windowSecs: 6, curve: [{ id: 'angle', signal: ANGLE }, { id: 'speed', signal: 'wave_1::pivot::velocity', rightAxis: true }] }],
  }],
});

async function openSwing(theme: 'dark' | 'light' = 'dark'): Promise<PlotsPanel> {
  const panel = await PlotsPanel.open(await journey.open(theme));
  await panel.load(LAYOUT);
  await panel.curve('Pendulum', ANGLE).waitFor();
  await panel.heard('Pendulum', ANGLE);
  return panel;
}

/** Runs the world and waits until the plot has the samples; a short swing in a low plot has few pixels. */
async function swing(panel: PlotsPanel, steps: number): Promise<void> {
  await journey.server.command('world', 'step', String(steps));
  await expect.poll(() => panel.pixels('Pendulum', BLUE), { timeout: 30_000 }).toBeGreaterThan(8);
}

it('two cursors tell times, differences and statistics', async () => {
  const panel = await openSwing();
  await swing(panel, 5000);
  await panel.bench.button('Measure').click();
  const a = panel.plot('Pendulum').getByRole('slider', { name: 'Cursor A' });
  const b = panel.plot('Pendulum').getByRole('slider', { name: 'Cursor B' });
  expect([Number(await a.getAttribute('aria-valuenow')), Number(await b.getAttribute('aria-valuenow'))]).toEqual([2, 4]);
  await panel.page.getByLabel('Between the cursors').getByText('Δt = 2 s').waitFor();
  const row = panel.page.getByRole('region', { name: 'Statistics' }).getByRole('row', { name: new RegExp(ANGLE, 'u') });
  // One sample for each step, both ends included.
  await expect.poll(() => row.getByRole('cell').last().textContent(), { timeout: 20_000 }).toMatch(/^200[01]$/u);
  await panel.hover('Pendulum', 0.3, 0.4);
  await panel.picture('plots-measure');

  // A click takes the nearer cursor along, keys place and move them.
  const box = await panel.box('Pendulum');
  await panel.page.mouse.click(box.x + box.width * 0.15, box.y + 60);
  await expect.poll(async () => Number(await a.getAttribute('aria-valuenow'))).toBeLessThan(1.5);
  const before = Number(await b.getAttribute('aria-valuenow'));
  await b.focus();
  await panel.page.keyboard.press('ArrowRight');
  await expect.poll(async () => Number(await b.getAttribute('aria-valuenow'))).toBeGreaterThan(before);
  await panel.bench.button('End measuring').click();
  await a.waitFor({ state: 'detached' });
  await panel.bench.close();
});

it('cleared plots keep their curves and lose what was heard', async () => {
  const panel = await openSwing();
  await swing(panel, 3000);
  await panel.bench.button('Clear plots').click();
  await panel.dialog.getByRole('button', { name: 'Clear', exact: true }).click();
  await panel.dialog.waitFor({ state: 'detached' });
  await expect.poll(() => panel.pixels('Pendulum', BLUE)).toBe(0);
  await panel.heard('Pendulum', ANGLE);
  await swing(panel, 3000);
  await panel.bench.close();
});

it('a kept run is laid under the next one, and subtracted from it', async () => {
  const panel = await openSwing('light');
  await swing(panel, 3000);
  await panel.bench.button('Keep this run').click();
  await panel.dialog.getByLabel('Title').fill('Long');
  await panel.dialog.getByRole('button', { name: 'Keep', exact: true }).click();
  await panel.dialog.waitFor({ state: 'detached' });

  await journey.server.command('world', 'reset');
  await journey.server.command('world', 'step', '3000');
  await panel.choose('Menu of Pendulum', 'Compare with Long');
  await expect.poll(() => panel.plot('Pendulum').getByRole('list', { name: 'Legend' }).getByRole('listitem').count()).toBe(4);
  await panel.choose('Menu of Pendulum', 'Difference to Long');
  const difference = `${ANGLE} − Long`;
  await panel.curve('Pendulum', difference).waitFor();
  // The same start gives the same swing, so there is none.
  await expect.poll(() => panel.value('Pendulum', difference), { timeout: 30_000 }).toBeCloseTo(0, 6);

  await panel.bench.button('Runs').click();
  const offset = panel.dialog.getByLabel('Offset of Long');
  await offset.fill('0.5');
  await offset.press('Enter');
  await panel.dialog.getByRole('button', { name: 'Done' }).click();
  // Half a second later the two differ.
  await expect.poll(async () => Math.abs(await panel.value('Pendulum', difference)), { timeout: 30_000 }).toBeGreaterThan(0.01);
  await panel.picture('plots-compare');
  await panel.bench.button('Runs').click();
  await panel.dialog.getByRole('button', { name: 'Remove Long' }).click();
  await panel.dialog.getByText('No runs kept').waitFor();
  await panel.dialog.getByRole('button', { name: 'Done' }).click();
  await panel.bench.close();
});

it('a recorded log is laid under the present run, and subtracted from it', async () => {
  const file = path.join(ownFolder('logs'), 'before.mcap');
  await journey.server.command('run', 'worlds/pendulums.sdf', '--headless', '--iterations', '3000', '--record', file);
  const panel = await openSwing();
  await swing(panel, 3000);
  await panel.bench.button('Runs').click();
  const chooser = panel.page.waitForEvent('filechooser');
  await panel.dialog.getByRole('button', { name: 'Open log or table…' }).click();
  await (await chooser).setFiles(file);
  await panel.dialog.getByRole('group', { name: 'before.mcap' }).waitFor();
  await panel.dialog.getByRole('button', { name: 'Done' }).click();
  await panel.choose('Menu of Pendulum', 'Compare with before.mcap');
  await panel.curve('Pendulum', `${ANGLE} (before.mcap)`).waitFor();
  await panel.choose('Menu of Pendulum', 'Difference to before.mcap');
  // The same start gives the same swing, so there is none.
  await expect.poll(() => panel.value('Pendulum', `${ANGLE} − before.mcap`), { timeout: 30_000 }).toBeCloseTo(0, 6);
  await panel.bench.button('Runs').click();
  await panel.dialog.getByRole('button', { name: 'Remove before.mcap' }).click();
  await panel.dialog.getByRole('button', { name: 'Done' }).click();
  await panel.bench.close();
});

it('undo leaves what it took away as a pale branch', async () => {
  const panel = await openSwing();
  await swing(panel, 1500);
  await journey.server.command('entity', 'move', 'double', '--to', '0', '2', '1.5');
  await journey.server.command('world', 'step', '2500');
  await panel.untilTime('Pendulum', 4);
  await panel.bench.button('Undo').click();
  await panel.plot('Pendulum').locator('.jump-flag', { hasText: 'undo' }).waitFor();
  await journey.server.command('world', 'step', '1000');
  await expect.poll(async () => panel.bench.simTimeSecs(), { timeout: 20_000 }).toBeCloseTo(2.5, 3);
  await panel.picture('plots-undo');
  await panel.bench.close();
});

it('pictures, samples and the layout are saved as files', async () => {
  const panel = await openSwing();
  await swing(panel, 2000);
  const text = (bytes: Buffer): string => bytes.toString('utf8');
  const png = await panel.save('Picture (PNG)');
  expect(png.name).toBe('Pendulum.png');
  expect([...png.bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  expect(text((await panel.save('Picture (SVG)')).bytes)).toContain('<svg');
  expect(text((await panel.save('Picture (PDF)')).bytes.subarray(0, 5))).toBe('%PDF-');
  expect(text((await panel.save('Whole tab (SVG)')).bytes)).toContain('<svg');
  const csv = text((await panel.save('All data (CSV)')).bytes).trim().split('\n');
  expect(csv[0]).toContain(ANGLE);
  expect(csv.length).toBeGreaterThan(1900);
  const parquet = await panel.save('Data in view (Parquet)');
  expect([text(parquet.bytes.subarray(0, 4)), text(parquet.bytes.subarray(-4))]).toEqual(['PAR1', 'PAR1']);

  const layout = await panel.save('Layout to file');
  expect(JSON.parse(text(layout.bytes))).toMatchObject({ tab: [{ title: 'Swing', plot: [{ title: 'Pendulum' }] }] });
  await panel.choose('Menu of Pendulum', 'Remove plot');
  await panel.page.getByText('Nothing is plotted').waitFor();
  await panel.load(text(layout.bytes));
  await panel.curve('Pendulum', ANGLE).waitFor();
  await panel.bench.close();
});

it('a table that was saved is opened as a run and laid under the present one', async () => {
  const panel = await openSwing();
  await swing(panel, 2000);
  const csv = await panel.save('All data (CSV)');
  const open = async (name: string, bytes: Buffer): Promise<void> => {
    const chooser = panel.page.waitForEvent('filechooser');
    await panel.dialog.getByRole('button', { name: 'Open log or table…' }).click();
    await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: bytes });
  };
  await panel.bench.button('Runs').click();
  await open('broken.csv', Buffer.from('no times here\n1\n'));
  await panel.dialog.getByRole('alert').waitFor();
  await open('before.csv', csv.bytes);
  await panel.dialog.getByRole('group', { name: 'before.csv' }).waitFor();
  await panel.dialog.getByRole('button', { name: 'Done' }).click();
  await panel.choose('Menu of Pendulum', 'Compare with before.csv');
  await panel.curve('Pendulum', `${ANGLE} (before.csv)`).waitFor();
  await panel.bench.close();
});

it('a layout file that is none is refused, and says why', async () => {
  const panel = await openSwing();
  await panel.load('{ "version": 1, "tab": 7 }');
  await panel.page.getByRole('log', { name: 'Notifications' }).locator('.error').waitFor();
  await panel.curve('Pendulum', ANGLE).waitFor();
  await panel.bench.picture('plots-refused');
  await panel.bench.close();
});

it('settings, tabs and two pages hold together', async () => {
  const panel = await openSwing('light');
  const other = await PlotsPanel.open(await journey.open());
  await other.curve('Pendulum', ANGLE).waitFor();
  await panel.bench.button('Settings of Pendulum').click();
  await panel.dialog.getByLabel('Title', { exact: true }).fill('Angle and speed');
  await panel.dialog.getByLabel('Seconds shown').fill('soon');
  await panel.dialog.getByRole('button', { name: 'Apply' }).click();
  await panel.dialog.getByRole('alert').getByText('Seconds shown takes a number').waitFor();
  await panel.picture('plots-settings');
  await panel.dialog.getByLabel('Seconds shown').fill('3');
  await panel.dialog.getByRole('button', { name: 'Apply' }).click();
  await other.curve('Angle and speed', ANGLE).waitFor();
  await expect.poll(() => other.range('Angle and speed')).toEqual([0, 3]);

  // Hidden by one, hidden for all.
  await other.curve('Angle and speed', ANGLE).click();
  await expect.poll(() => panel.curve('Angle and speed', ANGLE).getAttribute('aria-pressed')).toBe('false');

  await panel.bench.button('Add tab').click();
  await panel.page.getByRole('tab', { name: 'Tab 2' }).waitFor();
  await panel.page.getByRole('tab', { name: 'Swing' }).click();
  await panel.bench.button('Close tab Swing').click();
  await panel.dialog.getByRole('button', { name: 'Close tab' }).click();
  await other.page.getByRole('tab', { name: 'Swing' }).waitFor({ state: 'detached' });
  await panel.bench.close();
  await other.bench.close();
});
