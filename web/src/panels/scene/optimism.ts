/**
 * Shows at once what a command will do, and lets go of it when the world shows it, or when the
 * server refuses.
 */
import type { EntityId } from '../../world/entity';
import type { PoseStore } from '../../world/poses';
import type { World } from '../../world/world';
import type { SceneEngine } from './engine';
import { hasArrived, type Shown } from './preview';

/** How long things are shown where the server agreed to put them when the world says nothing new. */
const FOLLOW_MS = 1_000;

/** Sends a command; says whether the server has agreed. */
export type Attempt = () => Promise<boolean>;

export class Optimism {
  constructor(
    private readonly engine: () => SceneEngine | undefined,
    private readonly world: World,
    private readonly poses: PoseStore,
  ) {}

  /** Shows things elsewhere while a command is under way that puts them there. */
  async carryOut(shown: ReadonlyMap<EntityId, Shown>, attempt: Attempt): Promise<void> {
    const engine = this.engine();
    const from = new Map([...shown.keys()].map((id) => [id, this.poses.worldPose(id)]));
    for (const [id, there] of shown) {
      engine?.showAt(id, there);
    }
    if (await attempt()) {
      await this.arrival(() => [...shown].every(([id, { pose, factor }]) => {
        const start = from.get(id);
        const resized = factor.some((part) => part !== 1);
        return start === undefined || (!resized && hasArrived(this.poses.worldPose(id), start, pose));
      }), [...shown.keys()]);
    }
    // Another drag may have taken hold of the thing meanwhile.
    engine?.showWhereTheyAre([...shown].filter(([id, there]) => engine.shownAt(id) === there).map(([id]) => id));
  }

  /** Waits until `arrived` holds, or a shape of the entities is another. */
  private arrival(arrived: () => boolean, ids: readonly EntityId[]): Promise<void> {
    return new Promise((resolve) => {
      const ends: (() => void)[] = [];
      const finish = (): void => {
        ends.forEach((end) => {
          end();
        });
        resolve();
      };
      const look = (): void => {
        if (arrived()) {
          finish();
        }
      };
      const timer = setTimeout(finish, FOLLOW_MS);
      ends.push(
        () => {
          clearTimeout(timer);
        },
        this.poses.moved.on(look),
        this.world.changed.on(({ touched }) => {
          const reshaped = ids.some((id) => this.world.subtree(id).some((part) => touched.get(part.id)?.has('geometry') === true));
          if (reshaped) {
            finish();
          } else {
            look();
          }
        }),
      );
      look();
    });
  }
}
