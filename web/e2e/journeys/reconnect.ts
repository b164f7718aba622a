/** The server goes away and comes back; the page says so and recovers by itself. */
import { expect, it } from 'vitest';

import { journeyOn } from '../harness/journey';
import { Server } from '../harness/server';

const journey = journeyOn('cones');

it('shows a banner while the server is gone and the world anew when it is back', async () => {
  const bench = await journey.open();
  const start = await bench.position('vehicle');
  const rows = await bench.page.getByRole('treeitem').count();
  await bench.play();
  await bench.untilDistance('vehicle', start, 'farther', 0.2);
  await journey.server.command('entity', 'move', 'cone_1', '--to', '0', '3', '0');
  await expect.poll(() => bench.button('Undo').isDisabled()).toBe(false);

  await journey.server.kill();
  await bench.page.getByRole('alert').getByText('Connection lost').waitFor();
  await expect.poll(() => bench.status('Connection').textContent()).toBe('Disconnected');
  expect(await bench.button('Reset').isDisabled()).toBe(true);
  expect(await bench.button('Reset').getAttribute('title')).toBe('Reset\nNot connected to a server');
  expect(await bench.button('Undo').isDisabled()).toBe(true);
  await bench.picture('disconnected');

  journey.server = await Server.start('cones', { port: journey.server.port });
  await bench.connected();
  await bench.page.getByRole('alert').waitFor({ state: 'detached' });
  await bench.untilDistance('vehicle', start, 'nearer', 0.01);
  await expect.poll(() => bench.page.getByRole('treeitem').count()).toBe(rows);
  await expect.poll(() => bench.status('Connection').textContent()).toBe('Connected');
  // The new server has done nothing yet, whatever the page knew of the old one.
  expect(await bench.button('Undo').getAttribute('title')).toBe('Nothing to undo (Ctrl+Z)');

  await bench.play();
  await bench.untilDistance('vehicle', start, 'farther', 0.2);
  expect(await bench.page.locator('canvas').count()).toBe(1);
  await bench.close();
});

it('keeps what was typed while the server was gone, in fields and in dialogs', async () => {
  const bench = await journey.open();
  await bench.row('cone_1').click();
  const x = bench.field('Position x');
  await x.fill('2.345');
  await journey.server.kill();
  await bench.page.getByRole('alert').getByText('Connection lost').waitFor();
  // Neither leaving the field nor sending it loses what is in it.
  await x.press('Enter');
  await x.blur();
  expect(await x.inputValue()).toBe('2.345');
  expect(await bench.inspector.locator('.number-box.outside').getAttribute('title')).toContain('Not sent');

  journey.server = await Server.start('cones', { port: journey.server.port });
  await bench.connected();
  expect(await x.inputValue()).toBe('2.345');
  await x.focus();
  await x.press('Enter');
  await expect.poll(async () => (await bench.position('cone_1'))[0]).toBeCloseTo(2.345, 6);

  const dialog = await bench.add('Add link…');
  await dialog.getByLabel('Name').fill('antenna');
  await journey.server.kill();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByRole('alert').waitFor();
  journey.server = await Server.start('cones', { port: journey.server.port });
  await bench.connected();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('antenna');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.waitFor({ state: 'detached' });
  await bench.row('cone_1').click();
  await expect.poll(() => bench.button('Undo').getAttribute('title')).toContain('antenna');
  await bench.close();
});
