/** Images on surfaces, each loaded once; a surface is plain until its image is here. */
import { RepeatWrapping, SRGBColorSpace, TextureLoader, type MeshLambertMaterial, type MeshStandardMaterial, type Texture } from 'three';

/** Keeps textures sharp that are seen at a low angle. */
const ANISOTROPY = 8;

/** An image by what it shows, and where the host serves it. */
export interface Texturing {
  readonly name: string;
  readonly address: string;
}

type Textured = MeshLambertMaterial | MeshStandardMaterial;

export class TextureLibrary {
  private readonly textures = new Map<string, Promise<Texture>>();
  private readonly loader = new TextureLoader();
  private disposed = false;

  constructor(
    private readonly arrived: () => void,
    private readonly warned: (text: string) => void,
  ) {}

  /** Puts an image on a material as soon as it is here. */
  apply({ name, address }: Texturing, material: Textured): void {
    void this.texture(name, address).then(
      (texture) => {
        material.map = texture;
        material.needsUpdate = true;
        this.arrived();
      },
      () => {
        // Said once, where it was loaded.
      },
    );
  }

  dispose(): void {
    this.disposed = true;
    for (const texture of this.textures.values()) {
      void texture.then((loaded) => {
        loaded.dispose();
      }).catch(() => undefined);
    }
    this.textures.clear();
  }

  private texture(name: string, address: string): Promise<Texture> {
    const known = this.textures.get(name);
    if (known !== undefined) {
      return known;
    }
    const loading = this.loader.loadAsync(address).then((texture) => {
      texture.colorSpace = SRGBColorSpace;
      texture.wrapS = RepeatWrapping;
      texture.wrapT = RepeatWrapping;
      texture.anisotropy = ANISOTROPY;
      return texture;
    });
    loading.catch(() => {
      if (!this.disposed) {
        this.warned(`The texture ${name} cannot be shown`);
      }
    });
    this.textures.set(name, loading);
    return loading;
  }
}
