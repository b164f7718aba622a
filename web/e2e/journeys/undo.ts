/** The world goes back in time, for everybody who looks at it. */
import { expect, it } from 'vitest';

import type { Workbench } from '../harness/browser';
import { journeyOn } from '../harness/journey';

const journey = journeyOn('cones');

const move = (name: string, x: number, y: number, z: number) =>
  journey.server.command('entity', 'move', name, '--to', String(x), String(y), String(z));

/** Where cone 1 is after each of three moves; it settles by less than a hand's breadth. */
const PLACES = [[-1, 3, 0], [0, 3, 0], [1, 3, 0]] as const;

/** Moves cone 1 three times, a quarter of a second apart, and waits until the page knows. */
async function moveThrice(bench: Workbench): Promise<void> {
  for (const [x, y, z] of PLACES) {
    await journey.server.command('world', 'step', '250');
    await move('cone_1', x, y, z);
  }
  await bench.untilDistance('cone_1', PLACES[2], 'nearer', 0.05);
  await bench.page.waitForFunction(() => document.querySelector<HTMLButtonElement>('[aria-label="Undo"]')?.disabled === false);
}

/** Turns the view round and goes back, so that no vehicle hides the cone. */
async function lookFromAhead(bench: Workbench): Promise<void> {
  const { mouse } = bench.page;
  const box = await bench.page.getByRole('region', { name: '3D view' }).boundingBox();
  if (box === null) {
    throw new Error('the 3D view is not on screen');
  }
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x - 150, y - 10, { steps: 5 });
  await mouse.up();
  await mouse.move(x, y);
  for (let notch = 0; notch < 24; notch += 1) {
    await mouse.wheel(0, 100);
  }
}

it('Undo stands the fallen cone up again and turns the clock back; Redo fells it', async () => {
  const bench = await journey.open();
  expect(await bench.button('Undo').isDisabled()).toBe(true);
  expect(await bench.button('Redo').isDisabled()).toBe(true);
  await bench.row('cone_2').click();
  await bench.page.keyboard.press('Enter');
  await lookFromAhead(bench);
  await bench.row('vehicle').click();

  await journey.server.command('world', 'step', '1000');
  await bench.untilSimTime(1);
  const before = await bench.position('vehicle');
  await move('vehicle', 0, 0, 0.2);
  await bench.untilDistance('vehicle', [0, 0, 0.2], 'nearer', 0.001);
  await bench.play();
  await bench.untilTilt('cone_2', 'above', 60);
  await bench.pause();
  const fallenSecs = await journey.server.simTimeSecs();
  await bench.untilSimTime(fallenSecs);
  const after = await bench.position('vehicle');
  await bench.picture('undo-before');

  await bench.untilUndo('Move vehicle');
  const jump = bench.page.getByLabel('Time jump', { exact: true });
  const jumped = jump.waitFor();
  await bench.button('Undo').click();
  await jumped;
  expect(await jump.textContent()).toMatch(/^−\d+\.\d\d s$/u);
  await bench.told(/^Undid “Move vehicle”. Time went back from .* to 1\.000\ss$/u);
  await bench.untilDistance('vehicle', before, 'nearer', 0.001);
  await bench.untilTilt('cone_2', 'below', 2);
  await bench.untilSimTime(1);
  await expect.poll(() => bench.button('Undo').isDisabled()).toBe(true);
  await bench.picture('undo-after');

  await expect.poll(() => bench.button('Redo').getAttribute('title')).toBe('Redo Move vehicle (Shift+Ctrl+Z)');
  await bench.button('Redo').click();
  await bench.untilDistance('vehicle', after, 'nearer', 0.001);
  await bench.untilTilt('cone_2', 'above', 60);
  await bench.untilSimTime(fallenSecs);
  await bench.close();
});

it('works while the world runs', async () => {
  const bench = await journey.open();
  const start = await bench.position('cone_3');
  await bench.play();
  await move('cone_3', 0, 3, 0.3);
  await bench.untilDistance('cone_3', start, 'farther', 1);
  await bench.untilUndo('Move cone_3');
  await bench.page.keyboard.press('Control+z');
  await bench.untilDistance('cone_3', start, 'nearer', 0.01);
  await bench.pause();
  await bench.close();
});

it('deleted things come back, by the Edit menu', async () => {
  const bench = await journey.open();
  await bench.row('cone_4').click();
  await bench.page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await bench.page.getByRole('menuitem', { name: 'Delete cone_4' }).click();
  await bench.row('cone_4').waitFor({ state: 'detached' });
  expect(await bench.page.getByRole('menu').count()).toBe(0);
  // The focus is where it was, so that the keys of the page go on working.
  expect(await bench.page.evaluate(() => document.activeElement?.getAttribute('role'))).not.toBe('menuitem');

  // The whole way with keys alone.
  await bench.page.getByRole('menuitem', { name: 'Edit', exact: true }).focus();
  await bench.page.keyboard.press('ArrowDown');
  const undo = bench.page.getByRole('menuitem', { name: 'Undo Delete cone_4', exact: true });
  await undo.waitFor();
  await bench.page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Undo Delete cone_4');
  await bench.page.keyboard.press('Enter');
  await bench.row('cone_4').waitFor();
  await bench.page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  expect(await bench.page.getByRole('menuitem', { name: 'Undo', exact: true }).getAttribute('aria-disabled')).toBe('true');
  await bench.page.getByRole('menuitem', { name: 'Redo Delete cone_4', exact: true }).click();
  await bench.row('cone_4').waitFor({ state: 'detached' });
  await bench.close();
});

it('menus are worked with the arrow keys, and Esc goes back', async () => {
  const bench = await journey.open();
  const focused = () => bench.page.evaluate(() => document.activeElement?.textContent.trim());
  await bench.page.getByRole('menuitem', { name: 'Edit', exact: true }).focus();
  await bench.page.keyboard.press('ArrowRight');
  expect(await focused()).toBe('View');
  await bench.page.keyboard.press('Enter');
  await expect.poll(focused).toMatch(/^Look at the selection/u);
  await bench.page.keyboard.press('h');
  await expect.poll(focused).toMatch(/^Hide/u);
  await bench.page.keyboard.press('h');
  await expect.poll(focused).toMatch(/^History/u);
  await bench.page.keyboard.press('Enter');
  await bench.page.getByRole('tab', { name: 'History', selected: true }).waitFor();
  await bench.page.getByText('Nothing to undo yet').waitFor();
  await bench.page.getByRole('menuitem', { name: 'View', exact: true }).focus();
  await bench.page.keyboard.press('ArrowDown');
  await bench.page.keyboard.press('ArrowRight');
  await expect.poll(focused).toMatch(/^Guide/u);
  await bench.page.keyboard.press('Escape');
  expect(await focused()).toBe('Help');
  expect(await bench.page.getByRole('menu').count()).toBe(0);
  await bench.close();
});

it('keys pressed in a row undo one command each, and not while typing', async () => {
  const bench = await journey.open();
  await moveThrice(bench);
  const search = bench.page.getByRole('searchbox', { name: 'Search entities' });
  await search.fill('cone');
  await search.press('Control+z');
  expect(await bench.button('Redo').isDisabled()).toBe(true);
  await search.press('Escape');
  await bench.row('vehicle').click();

  await bench.page.keyboard.press('Control+z');
  await bench.page.keyboard.press('Control+z');
  await bench.untilDistance('cone_1', PLACES[0], 'nearer', 0.05);
  await bench.page.keyboard.press('Shift+Control+z');
  await bench.page.keyboard.press('Control+y');
  await bench.untilDistance('cone_1', PLACES[2], 'nearer', 0.05);
  await expect.poll(() => bench.button('Redo').isDisabled()).toBe(true);
  expect(await bench.toast(/Could not/u).count()).toBe(0);
  await bench.close();
});

it('a click in a list goes straight to a command', async () => {
  const bench = await journey.open();
  const start = await bench.position('cone_1');
  await moveThrice(bench);
  await bench.button('Undo history').click();
  const list = bench.historyList('Undo history');
  expect(await list.getByRole('menuitem').count()).toBe(3);
  await list.getByRole('menuitem').nth(1).hover();
  await list.getByText('Undo 2 commands').waitFor();
  expect(await list.locator('.marked').count()).toBe(2);
  await bench.picture('undo-list');
  await list.getByRole('menuitem').nth(2).click();
  await bench.untilDistance('cone_1', start, 'nearer', 0.001);
  await list.waitFor({ state: 'detached' });

  // A long press opens the list, too, and is no click.
  await expect.poll(() => bench.button('Redo').isDisabled()).toBe(false);
  await bench.button('Redo').hover();
  await bench.page.mouse.down();
  await bench.historyList('Redo history').waitFor();
  await bench.page.mouse.up();
  await bench.historyList('Redo history').getByRole('menuitem').nth(1).click();
  await bench.untilDistance('cone_1', PLACES[1], 'nearer', 0.05);
  await bench.close();
});

it('two pages have the same lists, and are told of one another', async () => {
  const [one, other] = await Promise.all([journey.open(), journey.open('light')]);
  await one.button('History').click();
  await other.button('History').click();
  await moveThrice(one);
  await move('cone_2', 0, 4, 1);
  await expect.poll(() => one.timeline()).toEqual(['Now', 'Move cone_2', 'Move cone_1', 'Move cone_1', 'Move cone_1']);
  await one.page.getByRole('button', { name: /^Undo “Move cone_1” and the command after it$/u }).click();
  const undone = ['Move cone_2', 'Move cone_1', 'Now', 'Move cone_1', 'Move cone_1'];
  for (const bench of [one, other]) {
    await expect.poll(() => bench.timeline()).toEqual(undone);
  }
  await other.told(/^page \d+ undid .*Move cone_1/u);
  await one.told(/^Undid .*Move cone_1/u);
  await other.picture('history');

  // The page keeps nothing: after a reload the lists are the host's.
  await other.page.reload();
  await other.connected();
  await expect.poll(() => other.timeline()).toEqual(undone);
  await one.close();
  await other.close();
});

it('two who undo at once undo two commands, or one of them is told why not', async () => {
  const [one, other] = await Promise.all([journey.open(), journey.open()]);
  await Promise.all([moveThrice(one), moveThrice(other)]);
  await one.button('History').click();
  await expect.poll(() => one.timeline()).toHaveLength(7);
  await Promise.all([one.page.keyboard.press('Control+z'), other.page.keyboard.press('Control+z')]);
  const undone = async () => (await one.timeline()).indexOf('Now');
  const refused = async () => (await one.toast(/head moved: Move cone_1/u).count()) + (await other.toast(/head moved: Move cone_1/u).count());
  await expect.poll(async () => (await undone()) + (await refused()), { timeout: 20_000 }).toBe(2);
  expect(await undone()).toBeGreaterThan(0);
  await one.close();
  await other.close();
});

it('the History tab says how much is kept, and changes it', async () => {
  const bench = await journey.open();
  await bench.button('History').click();
  await moveThrice(bench);
  const kept = bench.status('Commands kept');
  await expect.poll(() => kept.textContent()).toBe('3 of 200');
  const most = bench.page.getByRole('spinbutton', { name: 'Most commands' });
  await most.fill('0');
  await most.press('Enter');
  await bench.told('Most commands takes a whole number, 1 to 10\u202f000');
  expect(await most.inputValue()).toBe('200');
  await most.fill('2');
  await most.press('Enter');
  await expect.poll(() => kept.textContent()).toBe('2 of 2');
  await bench.page.getByText('1 older command was dropped').waitFor();

  // No system of this world is stuck, so every choice undoes.
  await bench.page.getByRole('combobox', { name: 'Stuck systems' }).selectOption('Begin anew');
  await bench.page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await bench.page.getByRole('menuitem', { name: 'Undo Move cone_1', exact: true }).click();
  await bench.told(/^Undid “Move cone_1”/u);

  const keep = bench.page.getByRole('switch', { name: 'Keep history' });
  await keep.click();
  const question = bench.page.getByRole('alertdialog', { name: 'Forget the history' });
  await question.getByRole('button', { name: 'Keep' }).click();
  expect(await keep.isChecked()).toBe(true);
  await keep.click();
  await question.getByRole('button', { name: 'Forget' }).click();
  await bench.page.getByText('The history is off').waitFor();
  expect(await bench.button('Undo').isDisabled()).toBe(true);
  await keep.click();
  await bench.page.getByText('Nothing to undo yet').waitFor();
  await most.fill('200');
  await most.press('Enter');
  await expect.poll(() => kept.textContent()).toBe('0 of 200');
  await bench.close();
});
