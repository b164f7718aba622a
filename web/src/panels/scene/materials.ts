/** Materials of the scene, one for each look; the colour is in the instances. */
import {
  Color, DoubleSide, FrontSide, MeshBasicMaterial, MeshLambertMaterial, MeshStandardMaterial, SRGBColorSpace,
  type Material, type Texture,
} from 'three';

import type { Vec3 } from '../../lib/pose';
import type { Look, Shape } from './model';
import type { TextureLibrary, Texturing } from './textures';

/** What a material is made for. */
export interface Surface {
  readonly look: Look;
  readonly texturing: Texturing | undefined;
  readonly kind: Shape['kind'];
}

export class MaterialLibrary {
  private readonly materials = new Map<string, Material>();
  private wire: Material | undefined;

  /** `environment` is what physical materials reflect; without one, shading is plain. */
  constructor(
    private readonly environment: Texture | undefined,
    private readonly textures: TextureLibrary,
  ) {}

  material(surface: Surface): Material {
    const { look, texturing, kind } = surface;
    const key = `${kind === 'plane' ? 'plane' : 'solid'} ${JSON.stringify(look)} ${texturing?.name ?? ''}`;
    const known = this.materials.get(key);
    if (known !== undefined) {
      return known;
    }
    const made = this.make(surface);
    this.materials.set(key, made);
    return made;
  }

  /** For what stands in the place of a thing that is not there. */
  wireframe(): Material {
    this.wire ??= new MeshBasicMaterial({ wireframe: true });
    return this.wire;
  }

  dispose(): void {
    this.wire?.dispose();
    for (const material of this.materials.values()) {
      material.dispose();
    }
    this.materials.clear();
    this.textures.dispose();
  }

  private make({ look, texturing, kind }: Surface): Material {
    const transparent = look.opacity < 1;
    const common = {
      emissive: sceneColor(look.emissive),
      opacity: look.opacity,
      transparent,
      depthWrite: !transparent,
      side: look.doubleSided ? DoubleSide : FrontSide,
      alphaTest: look.alphaCutoff ?? 0,
      // Planes are pushed back a little, so that what lies on them does not flicker.
      polygonOffset: kind === 'plane',
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 2,
    };
    const made = this.environment === undefined
      ? new MeshLambertMaterial(common)
      : new MeshStandardMaterial({
          ...common,
          roughness: look.roughness,
          metalness: look.metalness,
          envMap: this.environment,
          envMapIntensity: 0.55,
        });
    if (texturing !== undefined) {
      this.textures.apply(texturing, made);
    }
    return made;
  }
}

/** World files give colours as screens show them. */
export function sceneColor([r, g, b]: Vec3): Color {
  return new Color().setRGB(r, g, b, SRGBColorSpace);
}
