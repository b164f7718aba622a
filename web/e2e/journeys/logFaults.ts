/** Logs when things go wrong: disks that cannot follow, damaged files, refusals. */
import { expect, it } from 'vitest';

import { LogMark_Kind as Kind } from '../../src/protocol/generated/retake/msgs/log_pb';
import { FakeHost } from '../harness/fakeHost';
import { journeyOn } from '../harness/journey';

const journey = journeyOn('cones');

const RUNNING = { ok: true, recording: true, file: 'logs/cones.mcap', bytes: 3_400_000n, recorded: { sec: 12n, nsec: 300_000_000 } };

/** Twenty seconds with two undos, so that 3.1 s to 5.2 s was passed three times. */
const FILE = {
  file: 'logs/cones.mcap',
  lengthSecs: 20,
  stretch: [
    { epoch: 0n, beginSecs: 0, endSecs: 5.2, simSecs: 0 },
    { epoch: 1n, beginSecs: 5.2, endSecs: 9, simSecs: 3.1 },
    { epoch: 2n, beginSecs: 9, endSecs: 20, simSecs: 1 },
  ],
  mark: [
    { kind: Kind.COMMAND, atSecs: 1.5, text: 'Move cone_1', author: 'page 1' },
    { kind: Kind.COMMAND, atSecs: 3.1, text: 'Insert box', author: 'page 2' },
    { kind: Kind.JUMP, atSecs: 5.2, text: 'undo', author: 'page 1', fromSecs: 5.2, toSecs: 3.1 },
    { kind: Kind.JUMP, atSecs: 9, text: 'undo', author: 'cli', fromSecs: 6.9, toSecs: 1 },
    { kind: Kind.GAP, atSecs: 14, text: '120 states are missing', fromSecs: 6, toSecs: 7 },
  ],
  damage: ['The file ends in the middle of a chunk: 3 s are lost', 'The index is missing: it was made anew'],
};

const PLACE = { atSecs: 5.4, simSecs: 3.3, epoch: 1n, pass: 1, passes: 3, speed: 1 };

it('a full disk ends the recording with a lasting error', async () => {
  const [bench, host] = await FakeHost.open(journey.browser, journey.server.url, [{ case: 'recording', value: RUNNING }]);
  const record = bench.button('Record');
  await expect.poll(() => record.textContent()).toContain('REC 00:12 · 3.4 MB');
  expect(await record.getAttribute('title')).toBe('Stop recording cones.mcap, 3.4 MB so far (L)');

  host.say({ case: 'recording', value: { ...RUNNING, dropped: 1200n } });
  const alarm = '1\u202f200 records were left out because the disk could not follow';
  await bench.status(alarm).waitFor();
  await bench.told(alarm);
  await bench.picture('record-dropped');

  host.say({ case: 'recording', value: { ...RUNNING, recording: false, ended: 'no space is left on the disk' } });
  await bench.told('The recording ended by itself: no space is left on the disk. cones.mcap has the 12.3 s before that');
  await bench.status('The last recording ended by itself: no space is left on the disk').waitFor();
  expect((await record.textContent())?.trim()).toBe('Record');
  await bench.picture('record-ended');
  await bench.close();
});

it('settings go with the request, and a refusal is shown where they are', async () => {
  const [bench, host] = await FakeHost.open(journey.browser, journey.server.url, [{ case: 'recording', value: {} }], 'light');
  host.refusal = () => 'There is a file cones.mcap already';
  await bench.button('Recording settings').click();
  const dialog = bench.page.getByRole('dialog', { name: 'Recording settings' });
  await dialog.getByLabel('File', { exact: true }).fill('cones.mcap');
  await dialog.getByLabel('States per second').selectOption('60');
  await dialog.getByLabel('Topics').fill('/imu, /camera/*');
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  await dialog.getByRole('alert').getByText('There is a file cones.mcap already').waitFor();
  expect(host.requests.at(-1)).toMatchObject({ case: 'logStart', value: { file: 'cones.mcap', rateHz: 60, topic: ['/imu', '/camera/*'] } });
  await bench.picture('record-settings');

  await bench.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await bench.page.keyboard.press('l');
  await bench.told('There is a file cones.mcap already');
  host.refusal = () => undefined;
  await bench.button('Record').click();
  await expect.poll(() => host.requests.length).toBe(3);
  host.say({ case: 'recording', value: RUNNING });
  await expect.poll(() => bench.button('Record').getAttribute('aria-pressed')).toBe('true');
  await bench.button('Record').click();
  await expect.poll(() => host.requests.at(-1)?.case).toBe('logStop');
  host.say({ case: 'recording', value: { ...RUNNING, recording: false } });
  await bench.told('Recorded 12.3 s to cones.mcap (3.4 MB)');
  await bench.close();
});

it('a damaged log says what is missing, and nothing in it can be edited', async () => {
  const [bench, host] = await FakeHost.open(journey.browser, journey.server.url, [
    { case: 'playbackFile', value: FILE }, { case: 'playback', value: PLACE },
  ]);
  await bench.page.getByText('This recording is damaged').waitFor();
  await bench.picture('playback-damaged');
  await bench.button('Show details').click();
  await bench.page.getByRole('list', { name: 'Damage' }).getByText('The index is missing').waitFor();
  await bench.button('Hide details').click();
  expect(await bench.page.title()).toBe('cones.mcap (recording) – Retake');
  for (const hidden of ['Undo', 'Redo', 'Record', 'Insert', 'Reset']) {
    expect(await bench.button(hidden).count()).toBe(0);
  }
  await bench.row('ball').click();
  await bench.page.keyboard.press('Delete');
  await bench.told('A recording cannot be edited');
  expect(await bench.inspector.getByRole('spinbutton').count()).toBe(0);
  expect(host.requests.filter(({ case: kind }) => kind === 'command')).toEqual([]);

  host.refusal = () => 'The recording has no simulated time 99 s';
  await bench.page.getByLabel('Go to sim time').fill('99');
  await bench.page.keyboard.press('Enter');
  await bench.told('The recording has no simulated time 99 s');
  await bench.close();
});

it('a drag asks for the newest place only, and the keys of the timeline go through the log', async () => {
  const [bench, host] = await FakeHost.open(journey.browser, journey.server.url, [
    { case: 'playbackFile', value: { ...FILE, damage: [] } }, { case: 'playback', value: PLACE },
  ], 'light');
  const slider = bench.page.getByRole('slider', { name: 'Timeline' });
  expect(await slider.getAttribute('aria-valuetext')).toBe('Simulated time 3.30 s, recording 5.40 s of 20.00 s, epoch 1');
  await bench.page.getByTitle('undo by page 1: 5.20 s → 3.10 s').waitFor();
  await bench.picture('playback-light');
  const box = await slider.boundingBox();
  if (box === null) {
    throw new Error('the timeline is not on screen');
  }
  await bench.page.mouse.move(box.x + box.width * 0.2, box.y + 10);
  await bench.page.mouse.down();
  await bench.page.mouse.move(box.x + box.width * 0.75, box.y + 10, { steps: 30 });
  await bench.page.mouse.up();
  await expect.poll(() => seekOf(host)).toBeCloseTo(15, 1);
  host.say({ case: 'playback', value: { ...PLACE, atSecs: 15, simSecs: 7, epoch: 2n, pass: 0, passes: 1 } });
  await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('15');
  // The timeline is as wide as before, whatever passes there are.
  expect(await bench.page.getByLabel('Pass', { exact: true }).textContent()).toBe('pass 1 of 1');
  expect((await slider.boundingBox())?.width).toBe(box.width);

  await slider.press('End');
  await expect.poll(() => seekOf(host)).toBe(20);
  await slider.press('Home');
  await expect.poll(() => seekOf(host)).toBe(0);
  await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('15');
  await slider.press('Shift+ArrowLeft');
  await expect.poll(() => seekOf(host)).toBe(14);
  await slider.press('ArrowLeft');
  await expect.poll(() => host.controls().at(-1)?.step).toBe(-1);
  await bench.page.keyboard.press('.');
  await expect.poll(() => host.controls().at(-1)?.step).toBe(1);
  await bench.close();
});

function seekOf(host: FakeHost): number | undefined {
  const seek = host.controls().at(-1)?.seek;
  return seek?.case === 'atSecs' ? seek.value : undefined;
}
