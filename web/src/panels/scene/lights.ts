/** Lights of the world; a soft sun of our own when the world has none. */
import {
  DirectionalLight, Group, HemisphereLight, PointLight, SpotLight, Vector3, type Light as ThreeLight,
} from 'three';

import { rotate, type Vec3 } from '../../lib/pose';
import { readLight, readScene, type Light, type SceneSettings } from '../../world/components';
import type { Entity } from '../../world/entity';
import type { PoseStore } from '../../world/poses';
import type { World } from '../../world/world';
import { sceneColor } from './materials';
import type { Quality } from './quality';

/** World files count a white sun as 1, physical shading wants about π times that. */
const STRENGTH = Math.PI * 0.85;
const DEFAULT_SUN: Vec3 = [-0.45, 0.35, -0.85];

interface Sun {
  readonly light: DirectionalLight;
  readonly direction: Vector3;
}

export class Lights {
  readonly group = new Group();
  private suns: Sun[] = [];
  private readonly sky = new HemisphereLight(0xffffff, 0x8a8578, 1);

  constructor(
    private readonly poses: PoseStore,
    private readonly quality: Quality,
  ) {}

  /** Makes all lights anew. */
  rebuild(lights: readonly Entity[], scene: SceneSettings): void {
    this.clear();
    this.group.add(this.sky);
    const [r, g, b] = scene.ambient;
    this.sky.color = sceneColor([r, g, b]).lerp(sceneColor([0.86, 0.92, 1]), 0.5);
    // Physical materials get a part of their light from what they reflect.
    const share = this.quality.physical ? 1 : 3;
    this.sky.intensity = share * (0.5 + 1.1 * Math.max(r, g, b));
    for (const entity of lights) {
      const light = readLight(entity.component('light'));
      if (light !== undefined) {
        this.add(entity, light, scene.shadows);
      }
    }
    if (this.group.children.length === 1) {
      this.addSun(DEFAULT_SUN, sceneColor([1, 0.97, 0.92]).getHex(), STRENGTH * 0.9, scene.shadows);
    }
  }

  /** Fits the suns' shadows around what the camera looks at. */
  coverShadows(centre: Vector3, radius: number): void {
    for (const { light, direction } of this.suns) {
      light.position.copy(centre).addScaledVector(direction, -3 * radius);
      light.target.position.copy(centre);
      light.target.updateMatrixWorld();
      const { camera } = light.shadow;
      camera.left = camera.bottom = -radius;
      camera.right = camera.top = radius;
      camera.near = 0.1 * radius;
      camera.far = 6 * radius;
      camera.updateProjectionMatrix();
      light.shadow.normalBias = (3 * radius) / this.quality.shadowMapSize;
    }
  }

  clear(): void {
    for (const child of [...this.group.children]) {
      this.group.remove(child);
      if (child !== this.sky) {
        (child as ThreeLight).dispose();
      }
    }
    this.suns = [];
  }

  private add(entity: Entity, light: Light, shadows: boolean): void {
    const { position, rotation } = this.poses.worldPose(entity.id);
    const [r, g, b] = light.diffuse;
    const color = sceneColor([r, g, b]).getHex();
    const strength = light.intensity * STRENGTH;
    const direction = rotate(rotation, light.direction);
    switch (light.kind) {
      case 'directional':
        this.addSun(direction, color, strength, light.castShadows && shadows);
        return;
      case 'point': {
        const lamp = new PointLight(color, strength, light.rangeMetres, decayOf(light));
        lamp.position.set(...position);
        this.group.add(lamp);
        return;
      }
      case 'spot': {
        const angle = Math.min(Math.PI / 2, Math.max(0.05, light.outerAngleRad / 2));
        const softness = light.outerAngleRad > 0 ? 1 - light.innerAngleRad / light.outerAngleRad : 0.5;
        const lamp = new SpotLight(color, strength, light.rangeMetres, angle, softness, decayOf(light));
        lamp.position.set(...position);
        lamp.target.position.set(...direction).add(lamp.position);
        lamp.target.updateMatrixWorld();
        this.group.add(lamp);
      }
    }
  }

  private addSun(direction: Vec3, color: number, strength: number, shadows: boolean): void {
    const light = new DirectionalLight(color, strength);
    // One map of shadows is enough to see what stands where, and each costs a pass.
    light.castShadow = shadows && this.suns.every((sun) => !sun.light.castShadow);
    light.shadow.mapSize.set(this.quality.shadowMapSize, this.quality.shadowMapSize);
    light.shadow.bias = -0.0002;
    light.shadow.radius = 1.5;
    this.suns.push({ light, direction: new Vector3(...direction).normalize() });
    this.group.add(light);
  }
}

/** All lights of a world and its scene settings. */
export function lightsOf(world: World): { lights: readonly Entity[]; scene: SceneSettings } {
  const lights: Entity[] = [];
  let scene: unknown;
  for (const entity of world.entities()) {
    if (entity.kind === 'light') {
      lights.push(entity);
    } else if (entity.kind === 'world') {
      scene = entity.component('scene');
    }
  }
  return { lights, scene: readScene(scene) };
}

function decayOf(light: Light): number {
  if (light.quadratic > 0) {
    return 2;
  }
  return light.linear > 0 ? 1 : 0;
}
