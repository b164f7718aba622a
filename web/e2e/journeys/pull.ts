/** A person pulls a thing with the mouse, lets go, and undoes it. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';
import { middleOf, serverPose } from '../harness/view';

const journey = journeyOn('arm');

it('pulls a block through the air while the world runs, and takes it back by one undo', async () => {
  const bench = await journey.open();
  const { mouse, keyboard } = bench.page;
  await bench.row('block_red').click();
  await keyboard.press('f');
  const [x, y] = await middleOf(bench);
  const line = bench.page.locator('.scene svg.pull');

  // While the world stands nothing can be pulled.
  const start = await bench.position('block_red');
  await keyboard.down('Control');
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x - 60, y - 160, { steps: 10 });
  expect(await line.count()).toBe(0);
  await mouse.up();
  await keyboard.up('Control');
  // It was the camera that moved.
  await bench.row('block_red').click();
  await keyboard.press('f');

  await bench.play();
  await keyboard.down('Control');
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x - 60, y - 160, { steps: 10 });
  await line.waitFor({ state: 'attached' });
  await bench.untilDistance('block_red', start, 'farther', 0.02);
  await bench.picture('pull');
  await mouse.up();
  await keyboard.up('Control');
  await line.waitFor({ state: 'detached' });

  await bench.untilUndo(/^Undo Pull block_red/u);
  await keyboard.press('Control+z');
  await bench.untilDistance('block_red', start, 'nearer', 0.01);
  await bench.close();
});

it('pulls with the tool, without a key', async () => {
  const bench = await journey.open();
  const { mouse, keyboard } = bench.page;
  await bench.row('block_red').click();
  await keyboard.press('f');
  await bench.button('Pull things').click();
  const [x, y] = await middleOf(bench);
  const start = await bench.position('block_red');
  await bench.play();
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x + 20, y - 120, { steps: 6 });
  await bench.untilDistance('block_red', start, 'farther', 0.01);
  await mouse.up();
  await bench.close();
});

it('what a page had in hand falls when that page is gone', async () => {
  const bench = await journey.open();
  const { mouse, keyboard } = bench.page;
  await bench.row('block_red').click();
  await keyboard.press('f');
  await bench.button('Pull things').click();
  const [x, y] = await middleOf(bench);
  const start = (await serverPose(journey.server, 'block_red')).position;
  await bench.play();
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x, y - 160, { steps: 10 });
  await bench.untilDistance('block_red', start, 'farther', 0.02);
  // No word of farewell: the page is gone with the block in the air.
  await bench.close();
  const height = async (): Promise<number> => (await serverPose(journey.server, 'block_red')).position[2];
  await expect.poll(height, { timeout: 20_000 }).toBeLessThan(start[2] + 0.005);
  // It stays an edit of its own, which anybody can take back.
  await journey.server.command('undo');
  expect(await height()).toBeCloseTo(start[2], 3);
});
