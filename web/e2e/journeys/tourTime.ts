/** A first hour, on with time: take back, look back, branch off, record. Each is done, seen and taken back. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

import { ownFolder } from '../harness/folders';
import { journeyOn } from '../harness/journey';
import { PlaybackStrip } from '../harness/logs';
import { Server } from '../harness/server';
import { TimelineStrip } from '../harness/timeline';

let folder: string;

const journey = journeyOn(() => {
  folder = ownFolder('tour');
  return Server.start('cones', { more: ['--log-dir', folder] });
});

it('undo and redo: a cone is put into the way, falls, stands again, and falls again', async () => {
  const bench = await journey.open();
  await bench.select('cone_2');
  const [x, y] = await bench.position('vehicle');
  await bench.set('Position x', String(x + 0.9));
  await bench.untilUndo('Set pose of cone_2');
  await bench.set('Position y', String(y));
  await bench.untilDistance('cone_2', [x + 0.9, y, 0], 'nearer', 0.001);
  await bench.page.keyboard.press('f');
  await bench.play();
  await bench.untilTilt('cone_2', 'above', 45);
  await bench.pause();
  const secs = await journey.server.simTimeSecs();

  // Back before the second edit: the cone stands, and the clock shows that time.
  await bench.page.keyboard.press('Control+z');
  await bench.untilTilt('cone_2', 'below', 2);
  await bench.untilSimTime(0);
  await bench.button('Redo history').click();
  await bench.historyList('Redo history').getByRole('menuitem').first().waitFor();
  await bench.picture('tour-undo');
  await bench.page.keyboard.press('Escape');
  await bench.page.keyboard.press('Shift+Control+z');
  await bench.untilTilt('cone_2', 'above', 45);
  await bench.untilSimTime(secs);
  await bench.close();
});

it('timeline: the past is looked at, gone on from, and the future that was is a branch', async () => {
  const bench = await journey.open();
  const strip = new TimelineStrip(bench);
  await journey.server.command('world', 'step', '2500');
  await bench.untilSimTime(2.5);
  await strip.slider.waitFor();
  const whole = await bench.position('vehicle');
  const shown = await strip.look(1);
  await bench.untilDistance('vehicle', whole, 'farther', 0.3);
  await bench.button('Resume from here').click();
  await strip.untilLive();
  await bench.untilSimTime(shown);
  await bench.select('cone_1');
  await bench.set('Position y', '2');
  await bench.untilUndo('Set pose of cone_1');
  await journey.server.command('world', 'step', '1000');
  await bench.untilSimTime(shown + 1);
  await strip.open();
  await expect.poll(async () => (await strip.branches()).length).toBe(2);
  await bench.picture('tour-branches');
  // Two undos: the edit, and the jump itself.
  await bench.page.keyboard.press('Control+z');
  await bench.untilSimTime(shown);
  await bench.page.keyboard.press('Control+z');
  await bench.untilSimTime(2.5);
  await bench.untilDistance('vehicle', whole, 'nearer', 0.001);
  await bench.page.getByRole('button', { name: /^Hide \d+ branches$/u }).click();
  await bench.close();
});

it('logs: what was recorded, an undo in it, plays again from the file', async () => {
  const bench = await journey.open();
  const start = await bench.position('vehicle');
  await bench.button('Record').click();
  await expect.poll(() => bench.button('Record').getAttribute('aria-pressed')).toBe('true');
  await journey.server.command('world', 'step', '1000');
  await bench.select('cone_1');
  await bench.set('Position z', '1');
  await bench.untilUndo('Set pose of cone_1');
  await journey.server.command('world', 'step', '500');
  await bench.untilSimTime(1.5);
  await bench.page.keyboard.press('Control+z');
  await bench.untilSimTime(1);
  const end = await bench.position('vehicle');
  await bench.button('Record').click();
  await bench.told(/^Recorded 1\.5 s to cones/u);
  await bench.close();

  const [file = ''] = readdirSync(folder);
  const log = await journey.visit(await Server.play(path.join(folder, file)));
  const strip = new PlaybackStrip(log);
  await strip.slider.waitFor();
  await log.untilDistance('vehicle', start, 'nearer', 0.001);
  await strip.slider.focus();
  await strip.slider.press('End');
  await log.untilDistance('vehicle', end, 'nearer', 0.001);
  await expect.poll(() => strip.mark('jump').count()).toBe(1);
  await strip.drag(1, 0.6);
  await expect.poll(async () => (await log.position('cone_1'))[2] > -1 && strip.atSecs()).toBeLessThan(1);
  await log.picture('tour-log');
  await log.close();
});
