/**
 * What tests may look at from outside: `window.__retake`. It reads and never writes, so that no
 * test can do what a person cannot.
 */
import type { Pose } from '../lib/pose';
import type { Session } from './session.svelte';

export interface RetakeHook {
  /** Returns `world_from_entity` of an entity named by its path, as in `vehicle::chassis`. */
  entityWorldPose(path: string): Pose | undefined;
  /** Pose frames received since the page was loaded. */
  readonly frameCount: number;
  /** Whether the page has its host, the host its server, and the world is here. */
  readonly connected: boolean;
}

declare global {
  interface Window {
    readonly __retake?: RetakeHook;
  }
}

/** Puts the hook on the window. */
export function installHook(session: Session): void {
  const hook: RetakeHook = {
    entityWorldPose(path) {
      const entity = session.world.find(path);
      return entity && session.poses.worldPose(entity.id);
    },
    get frameCount() {
      return session.poses.frameCount;
    },
    get connected() {
      return session.live && session.hasWorld;
    },
  };
  Object.defineProperty(window, '__retake', { value: Object.freeze(hook) });
}
