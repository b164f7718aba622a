/** The motion panel when a robot refuses, a name is taken or a person changes their mind. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { TeachRun_State as State } from '../../src/protocol/generated/retake/msgs/teach_pb';
import type { Workbench } from '../harness/browser';
import { FakeHost } from '../harness/fakeHost';
import { FakeTeacher } from '../harness/fakeTeacher';
import { journeyOn } from '../harness/journey';

const journey = journeyOn('cones');

const JOINTS = ['shoulder_left_pitch', 'shoulder_left_roll', 'elbow_left', 'shoulder_right_pitch', 'shoulder_right_roll', 'elbow_right', 'neck_yaw', 'neck_pitch'];
const CURVE = Array.from({ length: 101 }, (_, i) => i / 100);

function teachings({ points = 12 } = {}) {
  const joint = JOINTS.map((name, i) => ({ name, lower: -2, upper: 2, maxVelocity: 3, unit: 'rad', known: true, muted: i === 5 }));
  const waypoint = Array.from({ length: points }, (_, i) => ({
    id: BigInt(i + 1), time: i * 0.5, position: JOINTS.map((_name, j) => Math.sin(i * 0.6 + j)), enabled: i !== 3, note: i === 2 ? 'hand is up' : '',
  }));
  const motion = {
    name: 'wave', description: 'Waves with the left hand', interpolation: 'monotone', joint, waypoint, start: 2n, end: 11n,
    action: [{ id: 90n, time: 1, command: { type: 'voice/say', command: 'Hello there' } }, { id: 91n, time: 2.5, command: { type: 'eyes/emotion', command: 'joy' } }],
  };
  const curves = {
    from: 0, to: (points - 1) * 0.5,
    joint: JOINTS.map((_name, j) => (j === 5 ? {} : {
      position: CURVE.map((u) => Math.sin(u * (points - 1) * 0.6 + j)),
      velocity: CURVE.map((u) => 1.2 * Math.cos(u * (points - 1) * 0.6 + j)),
      acceleration: CURVE.map((u) => -1.44 * Math.sin(u * (points - 1) * 0.6 + j)),
    })),
  };
  const warning = [{ kind: 2, joint: 'elbow_left', time: 2.25, value: 3.4, limit: 3, text: 'elbow_left turns at 3.40 rad/s at 2.25 s, its limit is 3.00 rad/s' }];
  return {
    robot: [{ robot: 'humanoid', stores: true, real: true }, { robot: 'arm', stores: false, real: false }],
    draft: [{ robot: 'humanoid', revision: 5n, author: 'page 1', motion, undo: 'Move waypoint 3', file: 'motions/wave.toml', unsaved: true, duration: 4.5, warning, curves }],
  };
}

function live(change = {}) {
  return {
    case: 'teachLive' as const,
    value: {
      robot: 'humanoid', virtual: JOINTS.map((_name, j) => Math.sin(1.2 + j)), real: JOINTS.map((_name, j) => Math.sin(1.21 + j)), limp: JOINTS.map((_name, j) => j === 1),
      virtualAt: [3n], realAt: [3n, 5n], twin: { robot: 'humanoid', address: 'retake:lab/humanoid', connected: true, armed: true, armedBy: 'page 2' },
      virtualRun: { goalId: 'g', state: State.RUNNING, time: 2 },
      realRun: { goalId: 'h', state: State.ABORTED, text: 'elbow_left is 0.31 rad off at 1.20 s, 0.20 rad are allowed' },
      ...change,
    },
  };
}

async function open(theme: 'dark' | 'light' = 'dark', state = teachings()): Promise<readonly [Workbench, FakeHost, FakeTeacher]> {
  const [bench, host] = await FakeHost.open(journey.browser, journey.server.url, [], theme);
  const teacher = new FakeTeacher(host, state);
  await bench.button('Motion').click();
  return [bench, host, teacher];
}

const row = (page: Page, place: number) => page.getByRole('grid', { name: 'Waypoints' }).getByRole('row').nth(place);

it('a row is edited in place, and the keys are about the draft', async () => {
  const [bench, host, teacher] = await open();
  const { page } = bench;
  await row(page, 3).click();
  host.say(live());
  await bench.picture('motion-table');
  expect(await row(page, 3).getAttribute('aria-selected')).toBe('true');
  expect(teacher.of('show').at(-1)).toMatchObject({ pose: { case: 'waypoint', value: 3n } });

  const time = page.getByRole('spinbutton', { name: 'Time of waypoint 3', exact: true });
  await time.fill('1.25');
  await time.press('Enter');
  await expect.poll(() => teacher.of('edit').at(-1)).toMatchObject({ edit: { case: 'time', value: { id: 3n, time: 1.25 } } });
  await page.keyboard.press('Control+z');
  await expect.poll(() => teacher.of('undo')).toMatchObject([{ redo: false }]);

  await row(page, 4).getByRole('rowheader').click();
  await row(page, 6).getByRole('rowheader').click({ modifiers: ['Shift'] });
  await page.keyboard.press('Delete');
  await expect.poll(() => teacher.of('edit').at(-1)).toMatchObject({ edit: { case: 'deleteWaypoints', value: { id: [4n, 5n, 6n] } } });
  await expect.poll(() => page.getByRole('row', { selected: true }).count()).toBe(1);
  // The next row has the focus now; buttons that go grey lose it.
  await page.keyboard.press('Delete');
  await expect.poll(() => teacher.of('edit').at(-1)).toMatchObject({ edit: { case: 'deleteWaypoints', value: { id: [7n] } } });
  await page.keyboard.press('Escape');
  await bench.button('Maximise dock').click();
  await row(page, 1).click();
  await bench.button('Delete waypoints').click();
  await expect.poll(() => teacher.of('edit').at(-1)).toMatchObject({ edit: { case: 'deleteWaypoints', value: { id: [1n] } } });
  await page.keyboard.press('Control+z');
  await expect.poll(() => teacher.of('undo').length).toBe(2);
  // Nothing of it was about the world.
  expect(host.requests.every(({ case: kind }) => kind === 'teach')).toBe(true);
  await bench.close();
});

it('a refusal stands beside its button, and the robot must be armed', async () => {
  const [bench, host, teacher] = await open('light');
  teacher.executionRefused = 'shoulder_left_pitch is at 0.90 rad, 0.30 rad from the start';
  await bench.button('Execute virtual').click();
  await expect.poll(() => bench.status('Result of executing virtual').textContent()).toContain('Refused shoulder_left_pitch is at 0.90 rad');
  await bench.picture('motion-refused');
  host.say(live({ twin: { connected: true } }));
  const real = bench.button('Execute real');
  await expect.poll(() => real.getAttribute('title')).toBe('Execute real: Arm the robot first');
  expect(await real.isDisabled()).toBe(true);
  host.say(live());
  await expect.poll(() => real.isDisabled()).toBe(false);
  await bench.close();
});

it('asks before a motion is replaced or changes are lost', async () => {
  const [bench, , teacher] = await open();
  const { page } = bench;
  teacher.taken = ['bow'];
  await bench.button('Save as…').click();
  const saving = page.getByRole('dialog', { name: 'Save the motion' });
  await saving.getByLabel('Name').fill('bow');
  await saving.getByRole('button', { name: 'Save', exact: true }).click();
  await saving.getByText('There is a motion named bow already. Replace it?').waitFor();
  await bench.picture('motion-save');
  await saving.getByRole('button', { name: 'Replace', exact: true }).click();
  await saving.waitFor({ state: 'detached' });
  expect(teacher.of('save')).toMatchObject([{ name: 'bow', replace: false }, { name: 'bow', replace: true }]);

  await bench.button('Load a motion…').click();
  const loading = page.getByRole('dialog', { name: 'Load a motion' });
  await loading.getByRole('button', { name: 'Load bow' }).click();
  await loading.getByText('The draft has changes that are not saved').waitFor();
  expect(teacher.of('load')).toEqual([]);
  await bench.picture('motion-load');
  await loading.getByRole('button', { name: 'Lose changes and load' }).click();
  await loading.waitFor({ state: 'detached' });
  expect(teacher.of('load')).toMatchObject([{ motion: 'bow' }]);
  await bench.close();
});

it('shows all of a motion, in tabs or together', async () => {
  const [bench, host, teacher] = await open('light');
  const { page } = bench;
  host.say(live());
  await page.getByRole('tab', { name: 'Setup' }).click();
  await page.getByRole('switch', { name: 'The motion moves neck_yaw' }).click();
  await expect.poll(() => teacher.of('edit').at(-1)).toMatchObject({ edit: { case: 'mute', value: { joint: 'neck_yaw', muted: true } } });
  await bench.picture('motion-setup');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await bench.picture('motion-timeline');
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('button', { name: /Hello there/u }).click();
  await page.getByRole('dialog', { name: 'Text action' }).waitFor();
  await bench.picture('motion-action');
  await page.keyboard.press('Escape');
  await bench.button('Maximise dock').click();
  await row(page, 3).click();
  host.say(live());
  await bench.picture('motion-large-light');
  await bench.close();
});

it('says what to do when there is nothing to teach', async () => {
  const [none] = await open('dark', { robot: [], draft: [] });
  await none.page.getByText('No robot here plays motions').waitFor();
  const told = await none.page.getByRole('link', { name: 'How to, in the guide' }).evaluate((link: HTMLAnchorElement) => link.href);
  expect(await (await none.page.request.get(told)).text()).toContain('AnimationStoredJointTrajectory');
  await none.picture('motion-none');
  await none.close();
  const [fresh, , teacher] = await open('dark', { ...teachings(), draft: [] });
  await fresh.button('Teach a motion').click();
  await expect.poll(() => teacher.of('open')).toMatchObject([{ anew: false }]);
  await fresh.picture('motion-fresh');
  await fresh.close();
});
