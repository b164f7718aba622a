/** A server, two GUI hosts with a page each, and the command line: four processes, one world. */
import { expect, it } from 'vitest';

import type { Workbench } from '../harness/browser';
import { journeyOn } from '../harness/journey';
import { Server } from '../harness/server';

const journey = journeyOn(() => Server.serve('cones'));

/** A page in each of two GUIs. */
async function bothPages(): Promise<readonly [Workbench, Workbench]> {
  const page = async (): Promise<Workbench> => journey.visit(await journey.server.gui());
  return Promise.all([page(), page()]);
}

it('a pause in one is seen in all, and so is an edit from the command line', async () => {
  const [first, second] = await bothPages();
  const start = await second.position('vehicle');
  await first.play();
  await second.untilDistance('vehicle', start, 'farther', 0.2);
  await second.pause();
  await first.button('Play').waitFor();
  expect(JSON.parse(await journey.server.command('world', 'stats', '--format', 'json'))).toMatchObject({ paused: true });

  await journey.server.command('entity', 'move', 'cone_1', '--to', '1', '2', '0.5');
  for (const bench of [first, second]) {
    await bench.untilDistance('cone_1', [1, 2, 0.5], 'nearer', 0.001);
  }
  await first.close();
  await second.close();
});

it('an undo in one is seen and told in all, and the command line redoes it', async () => {
  const [first, second] = await bothPages();
  const start = await second.position('cone_3');
  await journey.server.command('entity', 'move', 'cone_3', '--to', '1', '3', '0.5');
  for (const bench of [first, second]) {
    await bench.untilDistance('cone_3', [1, 3, 0.5], 'nearer', 0.001);
    await bench.untilUndo('Move cone_3');
  }
  await first.button('Undo').click();
  await second.untilDistance('cone_3', start, 'nearer', 0.001);
  // Each host numbers its pages; only one of them has done it.
  await first.told(/^Undid “Move cone_3”/u);
  await second.told(/^page \d+\.\d+ undid “Move cone_3”/u);

  await journey.server.command('redo');
  for (const bench of [first, second]) {
    await bench.untilDistance('cone_3', [1, 3, 0.5], 'nearer', 0.001);
    await bench.told(/^cli\S* redid “Move cone_3”/u);
  }
  await first.close();
  await second.close();
});
