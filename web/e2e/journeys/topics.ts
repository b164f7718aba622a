/** A person looks at the bus: what there is, how fast it comes, what it says, and speaks on it. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';

import type { Workbench } from '../harness/browser';
import { journeyOn } from '../harness/journey';

const journey = journeyOn('cones');
const CMD_VEL = '/model/vehicle/cmd_vel';

async function open(theme: 'dark' | 'light' = 'dark'): Promise<Workbench> {
  const bench = await journey.open(theme);
  await bench.button('Topics').click();
  await row(bench, '/clock').waitFor();
  return bench;
}

const list = (bench: Workbench, name: 'Topics' | 'Services'): Locator => bench.page.getByRole('table', { name });
const row = (bench: Workbench, name: string): Locator => bench.page.getByRole('row').filter({ has: bench.page.getByRole('button', { name, exact: true }) });
const rateOf = async (bench: Workbench, name: string): Promise<number> => Number(await row(bench, name).getByRole('cell').nth(2).textContent());
const field = (bench: Workbench, name: string): Locator => bench.page.getByRole('region', { name: 'Dock' }).getByLabel(name, { exact: true });
const message = (bench: Workbench, topic: string): Locator => bench.page.getByRole('tree', { name: `Message of ${topic}` });

async function choose(bench: Workbench, name: string): Promise<void> {
  await bench.page.getByRole('button', { name, exact: true }).click();
}

it('lists topics with their rates, and the messages of one live', async () => {
  const bench = await open();
  await bench.play();
  await expect.poll(() => rateOf(bench, '/clock')).toBeGreaterThan(5);
  await choose(bench, '/world/cones/stats');
  const tree = message(bench, '/world/cones/stats');
  const paused = tree.getByRole('treeitem', { name: /^paused /u });
  await expect.poll(() => paused.getAttribute('aria-label')).toBe('paused false');
  // Opened by keys, as every tree.
  await tree.focus();
  await bench.page.keyboard.press('Enter');
  await tree.getByRole('treeitem', { name: /^sec /u }).waitFor();
  await bench.picture('topics');

  // Held still, older ones can be looked at; then it goes on.
  const shown = bench.status('Shown message');
  await expect.poll(() => shown.textContent()).toMatch(/number [3-9]/u);
  await bench.button('Pause messages').click();
  await bench.button('Older message').click();
  const held = await shown.textContent();
  expect(held).toMatch(/^\s*\d+ of \d+ kept/u);
  await bench.pause();
  expect(await shown.textContent()).toBe(held);
  expect(await paused.getAttribute('aria-label')).toBe('paused false');
  await bench.button('Resume messages').click();
  await expect.poll(() => paused.getAttribute('aria-label')).toBe('paused true');

  await field(bench, 'Filter').fill('nothing of the kind');
  await bench.page.getByText('No topic has this in its name or type').waitFor();
  await field(bench, 'Filter').fill('/stats');
  await expect.poll(() => list(bench, 'Topics').getByRole('row').count()).toBe(2);
  await bench.close();
});

it('what is published moves the rover, once or again and again', async () => {
  const bench = await open('light');
  await bench.button('Publish on another topic').click();
  await field(bench, 'Topic').fill(CMD_VEL);
  await field(bench, 'Type').fill('retake.msgs.Twist');
  const json = field(bench, 'Message as JSON');
  await expect.poll(() => json.inputValue()).toContain('"angular"');
  await json.fill('{ "linear": { "x": 0.6 } }');
  const start = await bench.position('vehicle');
  await bench.button('Publish').click();
  await bench.page.getByText(`Published on ${CMD_VEL}`, { exact: true }).waitFor();
  await bench.play();
  await bench.untilDistance('vehicle', start, 'farther', 0.3);

  await json.fill('{ "linear": { "x": 0 } }');
  await bench.button('Repeat').click();
  await bench.button('Stop').waitFor();
  await bench.picture('topics-publish');
  await bench.button('Stop').click();
  await bench.button('Repeat').waitFor();
  await bench.pause();
  // What was written is there after a look at something else.
  await choose(bench, '/clock');
  await bench.button('Publish on another topic').click();
  expect(await json.inputValue()).toBe('{ "linear": { "x": 0 } }');
  await bench.close();
});

it('what cannot be published says why, and nothing is lost', async () => {
  const bench = await open();
  await bench.button('Publish on another topic').click();
  const [topic, type, json] = [field(bench, 'Topic'), field(bench, 'Type'), field(bench, 'Message as JSON')];
  const told = bench.page.getByRole('region', { name: 'Dock' }).getByRole('alert');
  await topic.fill('no/slash');
  await type.fill('retake.msgs.Nothing');
  await expect.poll(() => told.textContent()).toContain('retake.msgs.Nothing');
  expect(await bench.button('Publish').isDisabled()).toBe(true);
  await type.fill('retake.msgs.Twist');
  await expect.poll(() => bench.button('Publish').isDisabled()).toBe(false);
  await bench.button('Publish').click();
  await expect.poll(() => told.textContent()).toContain('no/slash');
  await topic.fill(CMD_VEL);
  await json.fill('{ "linear": { "x": "fast" } }');
  await bench.button('Publish').click();
  await expect.poll(() => told.textContent()).toMatch(/retake\.msgs\.Vector3\.x/u);
  await json.fill('{ "linear": ');
  await bench.button('Publish').click();
  await expect.poll(() => told.textContent()).toMatch(/JSON/u);
  expect(await json.inputValue()).toBe('{ "linear": ');
  await field(bench, 'Messages per second').fill('1000');
  await bench.button('Repeat').click();
  await expect.poll(() => told.textContent()).toBe('Write a number from 0.1 to 50 Hz');
  await bench.close();
});

it('a service is called, its reply is seen, and a refusal is told', async () => {
  const bench = await open();
  await bench.page.getByRole('radio', { name: 'Services' }).click();
  await field(bench, 'Filter').fill('control');
  await choose(bench, '/world/cones/control');
  const json = field(bench, 'Message as JSON');
  await expect.poll(() => json.inputValue()).toContain('"multi_step"');
  await json.fill('{ "multi_step": 250 }');
  await bench.button('Call').click();
  const reply = field(bench, 'Reply');
  await expect.poll(() => reply.textContent()).toContain('"ok": true');
  expect(await reply.isVisible()).toBe(true);
  await bench.untilSimTime(0.25);
  // It stays while the list, which comes every second, goes on being told.
  await bench.play();
  await expect.poll(() => bench.simTimeSecs(), { timeout: 60_000 }).toBeGreaterThan(3);
  await bench.pause();
  expect(await reply.textContent()).toContain('"ok": true');
  const [seen, dock] = [await reply.boundingBox(), await bench.page.getByRole('region', { name: 'Dock' }).boundingBox()];
  expect(seen !== null && dock !== null && seen.y + Math.min(seen.height, 40) <= dock.y + dock.height).toBe(true);
  await bench.picture('topics-call');

  await json.fill('{ "multi_step": 4000000000 }');
  await bench.button('Call').click();
  await expect.poll(() => reply.textContent()).toContain('"ok": false');
  expect(await reply.textContent()).toContain('at most');
  await bench.close();
});
