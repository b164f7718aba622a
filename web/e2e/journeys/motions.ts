/** A robot plays a motion: the page shows what it says, plays what it sounds, and goes back with it. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';

const journey = journeyOn('quadruped');

it('shows and sounds what a robot says, once on each pass', async () => {
  const bench = await journey.open();
  const said = bench.page.getByRole('log', { name: 'Said by robots' });
  const sounds: string[] = [];
  bench.page.on('response', (answer) => {
    if (answer.url().includes('/sound/')) {
      sounds.push(`${String(answer.status())} ${answer.headers()['content-type'] ?? ''}`);
    }
  });
  await bench.row('quadruped').click();
  await bench.page.keyboard.press('f');
  await journey.server.command('world', 'step', '500');
  await journey.server.command('motion', 'play', 'greet', '--no-wait');
  // What is said goes by itself after a while, so it is waited for from the start.
  await Promise.all([said.getByText('quadruped: Hello').waitFor(), journey.server.command('world', 'step', '2200')]);
  await bench.untilSimTime(2.7);
  await expect.poll(() => sounds).toEqual(['200 audio/wav']);
  await bench.picture('motion');

  // The motion itself is undone, and played again it says the same again.
  await bench.button('Undo').click();
  await bench.untilSimTime(0.5);
  await said.getByText('quadruped: Hello').waitFor({ state: 'detached' });
  await bench.button('Redo').click();
  await bench.untilSimTime(2.7);
  await journey.server.command('world', 'step', '3300');
  await bench.untilSimTime(6);
  const status = await journey.server.command('motion', 'status');
  expect(status).toContain('"greet" succeeded');
  expect(status).toContain('"nod" succeeded');
  await bench.close();
});

it('a muted page shows it without a sound', async () => {
  const bench = await journey.open('light');
  const asked: string[] = [];
  bench.page.on('request', (request) => {
    asked.push(request.url());
  });
  await bench.button('Sound').click();
  await journey.server.command('motion', 'play', 'greet', '--no-wait');
  const said = bench.page.getByRole('log', { name: 'Said by robots' }).getByText('quadruped: Hello');
  await Promise.all([said.waitFor(), journey.server.command('world', 'step', '1500')]);
  expect(asked.filter((address) => address.includes('/sound/'))).toEqual([]);
  await bench.close();
});
