/** The demo worlds are seen, and their pictures are the guide's. */
import { expect, it } from 'vitest';

import { traveller } from '../harness/journey';
import { Server } from '../harness/server';

const travel = traveller();

it.each(['arm', 'quadruped', 'stacks', 'domino', 'pendulums', 'mixed_profiles', 'scripts'])('%s runs and is seen', async (world) => {
  const bench = await travel.visit(await Server.start(world));
  await bench.play();
  await expect.poll(() => bench.simTimeSecs(), { timeout: 120_000 }).toBeGreaterThan(1);
  await bench.picture(world);
  await bench.close();
});
