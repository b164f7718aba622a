/** What the page asks of the 3D view. */
import type { Vec3 } from '../lib/pose';
import type { EntityId } from '../world/entity';
import type { Surroundings } from './arranging.svelte';

export interface View extends Surroundings {
  focus(ids: readonly EntityId[]): void;
  cancel(): boolean;
  screenOf(point: Vec3): readonly [number, number] | undefined;
  takePicture(): Promise<void>;
}
