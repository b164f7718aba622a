/**
 * What tests may look at from outside: `window.__retake`. It reads and never writes, so that no
 * test can do what a person cannot.
 */
import { compose, type Pose, type Vec3 } from '../lib/pose';
import { linkPose } from '../panels/scene/ghost';
import type { Session } from './session.svelte';

export interface RetakeHook {
  /** Returns `world_from_entity` of an entity named by its path, as in `vehicle::chassis`. */
  entityWorldPose(path: string): Pose | undefined;
  /** Returns where the ghost has a link, in the world; undefined while no ghost shows it. */
  ghostWorldPose(path: string): Pose | undefined;
  /** Where a point of the world is in the 3D view, in pixels from its top left. */
  screenOf(point: Vec3): readonly [number, number] | undefined;
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

type SeenAt = RetakeHook['screenOf'];

let seenAt: SeenAt = () => undefined;

/** Tells the hook where points of the world are seen. */
export function lookThrough(view: SeenAt): void {
  seenAt = view;
}

/** Puts the hook on the window. */
export function installHook(session: Session): void {
  const hook: RetakeHook = {
    entityWorldPose(path) {
      const entity = session.world.find(path);
      return entity && session.poses.worldPose(entity.id);
    },
    ghostWorldPose(path) {
      const { ghost } = session.teaching;
      const link = session.world.find(path);
      const place = link === undefined ? -1 : ghost?.links.indexOf(link.id) ?? -1;
      const baseFromLink = ghost && linkPose(ghost.poses, place);
      return ghost && baseFromLink && compose(session.poses.worldPose(ghost.base), baseFromLink);
    },
    screenOf(point) {
      return seenAt(point);
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
