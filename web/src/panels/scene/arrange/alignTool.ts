/** Shows and sends what an alignment does to things. */
import type { Move } from '../../../commands/moveEntities';
import { plus } from '../../../lib/vector';
import type { EntityId } from '../../../world/entity';
import type { PoseStore } from '../../../world/poses';
import type { World } from '../../../world/world';
import type { SceneEngine } from '../engine';
import type { Optimism } from '../optimism';
import type { Shown } from '../preview';
import { describeAlignment, offsetsOf, type Alignment } from './align';

export interface AlignContext {
  readonly engine: () => SceneEngine | undefined;
  readonly world: World;
  readonly poses: PoseStore;
  readonly optimism: Optimism;
  readonly move: (moves: readonly Move[], description: string) => Promise<boolean>;
}

export class AlignTool {
  private previewed: readonly EntityId[] = [];

  constructor(private readonly context: AlignContext) {}

  /** Shows what an alignment would do; undefined shows things where they are. */
  preview(ids: readonly EntityId[], alignment: Alignment | undefined): void {
    this.clear();
    if (alignment !== undefined) {
      const shown = this.shownBy(ids, alignment);
      shown.forEach((there, id) => this.context.engine()?.showAt(id, there));
      this.previewed = [...shown.keys()];
    }
  }

  align(ids: readonly EntityId[], alignment: Alignment): void {
    this.clear();
    const { world, optimism, move } = this.context;
    const shown = this.shownBy(ids, alignment);
    const moves = [...shown].map(([entity, { pose }]) => ({ entity, position: pose.position }));
    const names = ids.map((id) => world.pathOf(id));
    if (moves.length > 0) {
      void optimism.carryOut(shown, () => move(moves, describeAlignment(names, alignment)));
    }
  }

  private clear(): void {
    this.context.engine()?.showWhereTheyAre(this.previewed);
    this.previewed = [];
  }

  /** Where each thing goes; one of which nothing is seen has no edges, and stays. */
  private shownBy(ids: readonly EntityId[], alignment: Alignment): ReadonlyMap<EntityId, Shown> {
    const { engine, poses } = this.context;
    const things = ids.flatMap((id) => {
      const bounds = engine()?.extents.boundsOf(id);
      return bounds === undefined ? [] : [{ id, bounds }];
    });
    return new Map([...offsetsOf(things, alignment)].map(([id, offset]) => {
      const pose = poses.worldPose(id);
      return [id, { pose: { ...pose, position: plus(pose.position, offset) }, factor: [1, 1, 1] }];
    }));
  }
}
