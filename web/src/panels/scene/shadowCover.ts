/** Keeps the shadows of suns around what the camera looks at: they are fine only in a small place. */
import { Vector3 } from 'three';

import type { Lights } from './lights';

export class ShadowCover {
  private readonly centre = new Vector3(Number.NaN, 0, 0);
  private radius = 0;

  constructor(private readonly lights: Lights) {}

  /** Lets the next call cover anew, because the lights are others. */
  forget(): void {
    this.radius = 0;
  }

  /** Moves the shadows along when the camera went elsewhere; says whether it did. */
  follow(target: Vector3, distance: number): boolean {
    const radius = Math.min(60, Math.max(1, distance * 0.9));
    const near = this.centre.distanceTo(target) < 0.25 * this.radius;
    const alike = radius < this.radius * 1.3 && radius > this.radius * 0.6;
    if (near && alike) {
      return false;
    }
    this.centre.copy(target);
    this.radius = radius;
    this.lights.coverShadows(this.centre, radius);
    return true;
  }
}
