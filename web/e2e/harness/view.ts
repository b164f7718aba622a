/** What a person does in the 3D view with the mouse. */
import type { Locator } from 'playwright-core';

import type { Workbench } from './browser';
import type { Server } from './server';

type Point = readonly [number, number];
type Vec3 = readonly [number, number, number];

/** The middle of the view, in pixels of the page. */
export async function middleOf(bench: Workbench): Promise<Point> {
  const box = await bench.page.locator('.scene canvas').boundingBox();
  if (box === null) {
    throw new Error('the 3D view is not on screen');
  }
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Waits until frames no longer move a shape: the camera may still be on its way. */
async function untilStill(shapes: Locator): Promise<void> {
  await shapes.first().evaluate(async (shape) => {
    const frame = (): Promise<unknown> => new Promise((drawn) => requestAnimationFrame(drawn));
    for (let before = ''; before !== shape.getAttribute('points');) {
      before = shape.getAttribute('points') ?? '';
      await frame();
      await frame();
    }
  });
}

/** Where to take hold of a handle: at the end of an axis, in a plane, halfway along a ring. */
export async function handleAt(bench: Workbench, handle: string): Promise<Point> {
  const shapes = bench.page.locator(`.scene .handles [data-handle="${handle}"]`);
  await shapes.first().waitFor({ state: 'attached' });
  await untilStill(shapes);
  const places = await shapes.evaluateAll((all) => all.map((shape) => ({
    area: shape.classList.contains('area'),
    points: (shape.getAttribute('points') ?? '').split(' ').map((pair) => pair.split(',').map(Number)),
  })));
  const found = places.find(({ area }) => area) ?? places[0];
  const points = found?.points ?? [];
  const [x = 0, y = 0] = found?.area === true
    ? [0, 1].map((part) => points.reduce((sum, point) => sum + (point[part] ?? 0), 0) / points.length)
    : (points[Math.floor(points.length / 2)] ?? []);
  const box = await bench.page.locator('.scene canvas').boundingBox();
  return [(box?.x ?? 0) + x, (box?.y ?? 0) + y];
}

/** Drags the mouse from a place by some pixels, and lets go. */
export async function dragBy(bench: Workbench, [x, y]: Point, [dx, dy]: Point, letGo = true): Promise<void> {
  const { mouse } = bench.page;
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x + dx, y + dy, { steps: 8 });
  if (letGo) {
    await mouse.up();
  }
}

/** Where an entity is by the server's own word: position, and roll, pitch and yaw. */
export async function serverPose(server: Server, name: string): Promise<{ position: Vec3; rpy: Vec3 }> {
  const { world_pose } = JSON.parse(await server.command('entity', 'show', name, '--format', 'json')) as { world_pose: { position: Vec3; rpy: Vec3 } };
  return world_pose;
}

/** Where a point of the world is seen, in pixels of the page. */
export async function screenOf(bench: Workbench, point: Vec3): Promise<[number, number]> {
  const seen = await bench.page.evaluate((at) => window.__retake?.screenOf(at), point);
  if (seen === undefined) {
    throw new Error(`the view does not show ${point.join(' ')}`);
  }
  const box = await bench.page.locator('.scene canvas').boundingBox();
  return [(box?.x ?? 0) + seen[0], (box?.y ?? 0) + seen[1]];
}
