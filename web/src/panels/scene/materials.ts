/** Materials of the scene, one for each look; the colour is in the instances. */
import { Color, MeshLambertMaterial, MeshStandardMaterial, SRGBColorSpace, type Material, type Texture } from 'three';

import type { Vec3 } from '../../lib/pose';
import type { DrawSpec } from './model';

export class MaterialLibrary {
  private readonly materials = new Map<string, Material>();

  /** `environment` is what physical materials reflect; without one, shading is plain. */
  constructor(private readonly environment: Texture | undefined) {}

  material(key: string, spec: DrawSpec): Material {
    const known = this.materials.get(key);
    if (known !== undefined) {
      return known;
    }
    const made = this.make(spec);
    this.materials.set(key, made);
    return made;
  }

  dispose(): void {
    for (const material of this.materials.values()) {
      material.dispose();
    }
    this.materials.clear();
  }

  private make({ look, shape }: DrawSpec): Material {
    const transparent = look.opacity < 1;
    const common = {
      emissive: sceneColor(look.emissive),
      opacity: look.opacity,
      transparent,
      depthWrite: !transparent,
      // Planes are pushed back a little, so that what lies on them does not flicker.
      polygonOffset: shape.kind === 'plane',
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 2,
    };
    if (this.environment === undefined) {
      return new MeshLambertMaterial(common);
    }
    return new MeshStandardMaterial({
      ...common,
      roughness: look.roughness,
      metalness: look.metalness,
      envMap: this.environment,
      envMapIntensity: 0.55,
    });
  }
}

/** World files give colours as screens show them. */
export function sceneColor([r, g, b]: Vec3): Color {
  return new Color().setRGB(r, g, b, SRGBColorSpace);
}
