/** What a page costs while it draws: frames, time of the main thread, bytes from the host. */
import type { Page } from 'playwright-core';

export interface Cost {
  readonly framesPerSec: number;
  readonly msPerFrame: number;
  readonly mainThreadMsPerFrame: number;
  readonly bytesPerSec: number;
  /** Sets of poses that came from the host. */
  readonly posesPerSec: number;
}

declare global {
  interface Window {
    drawnFrames?: number;
  }
}

/** How long is measured, in seconds. */
const SECS = 10;
/** Frames that come before, while shaders compile and arrays grow. */
const WARM_UP = 10;

/** Counts frames in which anything was drawn, from the next load on. */
export async function countFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.drawnFrames = 0;
    let last: CSSNumberish | null = null;
    const { prototype } = WebGL2RenderingContext;
    for (const name of ['drawElements', 'drawElementsInstanced', 'drawArrays', 'drawArraysInstanced'] as const) {
      // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the context below
      const own: (this: WebGL2RenderingContext, ...values: number[]) => void = prototype[name];
      prototype[name] = function draw(this: WebGL2RenderingContext, ...values: number[]): void {
        const now = document.timeline.currentTime;
        if (now !== last) {
          last = now;
          window.drawnFrames = (window.drawnFrames ?? 0) + 1;
        }
        own.apply(this, values);
      };
    }
  });
}

/** Counts bytes that come over WebSockets, from the next load on. */
export function countBytes(page: Page): () => number {
  let bytes = 0;
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      bytes += payload.length;
    });
  });
  return () => bytes;
}

/** Measures a page that draws already. */
export async function measure(page: Page, received: () => number = () => 0): Promise<Cost> {
  await page.waitForFunction((frames) => (window.drawnFrames ?? 0) > frames, WARM_UP);
  const session = await page.context().newCDPSession(page);
  // Time that the thread has worked, whatever else the machine does.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const look = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const taskSecs = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    const [frames, poses, nowMs] = await page.evaluate(() => [window.drawnFrames ?? 0, window.__retake?.frameCount ?? 0, performance.now()] as const);
    return { taskSecs, frames, poses, nowMs, bytes: received() };
  };
  const from = await look();
  await page.waitForFunction((untilMs) => performance.now() >= untilMs, from.nowMs + SECS * 1000, { polling: 250 });
  const to = await look();
  await session.detach();
  const [secs, frames] = [(to.nowMs - from.nowMs) / 1000, Math.max(1, to.frames - from.frames)];
  return {
    framesPerSec: frames / secs,
    msPerFrame: (secs * 1000) / frames,
    mainThreadMsPerFrame: ((to.taskSecs - from.taskSecs) * 1000) / frames,
    bytesPerSec: (to.bytes - from.bytes) / secs,
    posesPerSec: (to.poses - from.poses) / secs,
  };
}
