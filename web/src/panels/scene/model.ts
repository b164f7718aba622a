/** What is to be drawn, as plain data: which shape, how large, in which look. */
import { rotationFromZ, type Pose, type Vec3 } from '../../lib/pose';
import {
  readGeometry, readMaterial, readVisual, type Geometry, type Material,
} from '../../world/components';
import type { Entity, EntityId } from '../../world/entity';
import type { World } from '../../world/world';
import type { MeshMaterial } from './packed';
import { scriptColor, scriptOpacity } from './scripts';
import type { Texturing } from './textures';

/** A shape that can be shared by many visuals, because the rest is in their matrices. */
export type Shape =
  | { readonly kind: 'box' | 'sphere' | 'cylinder' | 'cone' | 'plane' }
  | { readonly kind: 'capsule'; readonly lengthPerRadius: number }
  | { readonly kind: 'mesh'; readonly source: EntityId }
  | { readonly kind: 'polyline'; readonly geometry: Geometry & { readonly shape: 'polyline' } };

/** How a surface looks, apart from its colour. */
export interface Look {
  readonly roughness: number;
  readonly metalness: number;
  readonly emissive: Vec3;
  readonly opacity: number;
  readonly castShadows: boolean;
  readonly doubleSided: boolean;
  /** Pixels with less opacity than this are not drawn. */
  readonly alphaCutoff: number | undefined;
}

export interface DrawSpec {
  readonly shapeKey: string;
  readonly shape: Shape;
  readonly scale: Vec3;
  /** From the visual's frame to that of the shape. */
  readonly visualFromShape: Pose;
  readonly color: Vec3;
  readonly look: Look;
  readonly texturing: Texturing | undefined;
  /** Whether the visual has a material; if not, a mesh shows its own. */
  readonly ownMaterial: boolean;
  /** Ground and walls without end say nothing about where the things are. */
  readonly countsForBounds: boolean;
}

/** Colour and look of a part of a visual. */
export type Dress = Pick<DrawSpec, 'color' | 'look' | 'texturing'>;

const DEFAULT_GREY: Vec3 = [0.7, 0.7, 0.72];
const DEFAULT_GROUND: Vec3 = [0.45, 0.44, 0.36];

/** Says how to draw a visual; undefined when there is nothing to see. */
export function drawSpecOf(visual: Entity): DrawSpec | undefined {
  const geometry = readGeometry(visual.component('geometry'));
  const shaped = geometry && shapeOf(geometry, visual.id);
  if (geometry === undefined || shaped === undefined) {
    return undefined;
  }
  const material = readMaterial(visual.component('material'));
  const look = lookOf(material, readVisual(visual.component('visual')));
  if (look.opacity <= 0) {
    return undefined;
  }
  return {
    ...shaped,
    color: colorOf(material, geometry),
    look,
    texturing: material?.albedoMap === undefined
      ? undefined
      : { name: material.albedoMap, address: `/albedo/${visual.id}` },
    ownMaterial: material !== undefined,
    countsForBounds: geometry.shape !== 'plane',
  };
}

/** Key of the visuals that go into one draw call. */
export function batchKey({ shapeKey, look, texturing, ownMaterial }: DrawSpec): string {
  return `${shapeKey} ${JSON.stringify(look)} ${ownMaterial ? 'own' : ''} ${texturing?.name ?? ''}`;
}

/** Says how a part of a mesh looks: as its visual says, or else as the mesh file says. */
export function dress(spec: DrawSpec, material: MeshMaterial | undefined): Dress {
  const { color, look, texturing, shape } = spec;
  if (spec.ownMaterial || material === undefined) {
    // Files without materials are careless about which side is out.
    return { color, look: shape.kind === 'mesh' ? { ...look, doubleSided: true } : look, texturing };
  }
  const { texture } = material;
  return {
    color: material.color,
    look: {
      ...look,
      roughness: material.roughness ?? look.roughness,
      metalness: material.metalness ?? 0,
      emissive: material.emissive,
      opacity: look.opacity * material.opacity,
      doubleSided: material.doubleSided,
      alphaCutoff: material.alphaCutoff,
    },
    texturing: texture === undefined || shape.kind !== 'mesh'
      ? undefined
      : { name: `${texture} of ${spec.shapeKey}`, address: `/mesh/${shape.source}/texture/${texture}` },
  };
}

/**
 * Says what a click on a visual selects: the model that stands in the world; if that is selected
 * already, the link that was hit.
 */
export function pickTarget(world: World, hit: EntityId, selected: EntityId | undefined): EntityId {
  const lineage = world.lineage(hit);
  const model = lineage.find((entity) => entity.kind === 'model');
  const link = lineage.findLast((entity) => entity.kind === 'link');
  if (model !== undefined && link !== undefined && selected === model.id) {
    return link.id;
  }
  return model?.id ?? link?.id ?? hit;
}

/** A shape and how it is stretched and turned. */
export type Shaped = Pick<DrawSpec, 'shapeKey' | 'shape' | 'scale' | 'visualFromShape'>;

/** Geometries that need no file. */
export type PlainGeometry = Exclude<Geometry, { shape: 'empty' | 'mesh' | 'heightmap' }>;

/** A shape that the page can build by itself. */
export type PlainShaped = Omit<Shaped, 'shape'> & { readonly shape: Exclude<Shape, { kind: 'mesh' }> };

/** Says which shape a geometry without files is. */
export function shapedOf(geometry: PlainGeometry): PlainShaped {
  return shapeOf(geometry, 0) as PlainShaped;
}

function shapeOf(geometry: Geometry, source: EntityId): Shaped | undefined {
  switch (geometry.shape) {
    case 'empty':
      return undefined;
    case 'box':
      return simple('box', geometry.size);
    case 'sphere':
      return simple('sphere', [geometry.radius, geometry.radius, geometry.radius]);
    case 'ellipsoid':
      return simple('sphere', geometry.radii);
    case 'cylinder':
    case 'cone':
      return simple(geometry.shape, [geometry.radius, geometry.radius, geometry.length]);
    case 'capsule':
      return capsule(geometry.radius, geometry.length);
    case 'plane':
      return {
        ...simple('plane', [geometry.size[0], geometry.size[1], 1]),
        visualFromShape: { position: [0, 0, 0], rotation: rotationFromZ(geometry.normal) },
      };
    case 'mesh':
      return shaped(`mesh ${geometry.source}`, { kind: 'mesh', source }, geometry.scale);
    case 'heightmap':
      return {
        ...shaped(`terrain ${geometry.uri} ${geometry.size.join(' ')}`, { kind: 'mesh', source }, [1, 1, 1]),
        visualFromShape: { position: geometry.position, rotation: [0, 0, 0, 1] },
      };
    case 'polyline':
      return shaped(`polyline ${JSON.stringify(geometry)}`, { kind: 'polyline', geometry }, [1, 1, 1]);
  }
}

function simple(kind: 'box' | 'sphere' | 'cylinder' | 'cone' | 'plane', scale: Vec3): Shaped {
  return shaped(kind, { kind }, scale);
}

function capsule(radius: number, length: number): Shaped {
  const lengthPerRadius = length / radius;
  const key = `capsule ${lengthPerRadius.toFixed(4)}`;
  return shaped(key, { kind: 'capsule', lengthPerRadius }, [radius, radius, radius]);
}

function shaped(shapeKey: string, shape: Shape, scale: Vec3): Shaped {
  return { shapeKey, shape, scale, visualFromShape: { position: [0, 0, 0], rotation: [0, 0, 0, 1] } };
}

function lookOf(material: Material | undefined, visual: ReturnType<typeof readVisual>): Look {
  const [r, g, b] = material?.emissive ?? [0, 0, 0];
  const shine = Math.max(...(material?.specular.slice(0, 3) ?? [0.1]));
  return {
    // Classic materials know highlights, not roughness: the brighter those, the smoother this.
    roughness: material?.pbr?.roughness ?? 0.85 - 0.45 * Math.min(1, shine),
    metalness: material?.pbr?.metalness ?? 0,
    emissive: [r, g, b],
    opacity: (1 - visual.transparency) * (material?.diffuse[3] ?? 1) * scriptOpacity(material?.script ?? ''),
    castShadows: visual.castShadows,
    doubleSided: false,
    alphaCutoff: undefined,
  };
}

/** A script that we know a colour for counts more than the plain colours, as in Gazebo. */
function colorOf(material: Material | undefined, geometry: Geometry): Vec3 {
  if (material === undefined) {
    return geometry.shape === 'heightmap' ? DEFAULT_GROUND : DEFAULT_GREY;
  }
  const [r, g, b] = material.diffuse;
  return scriptColor(material.script ?? '') ?? [r, g, b];
}

/**
 * Returns where a ray meets the ground, to the centimetre. One that goes elsewhere, or too far,
 * gives the place below `target`.
 */
export function groundPointOf(origin: Vec3, direction: Vec3, target: Vec3, farthest: number): readonly [number, number] {
  const along = -origin[2] / direction[2];
  const meets = Number.isFinite(along) && along > 0 && along <= farthest;
  const [x, y] = meets ? [origin[0] + along * direction[0], origin[1] + along * direction[1]] : target;
  return [Math.round(x * 100) / 100, Math.round(y * 100) / 100];
}

/** A box along the axes. */
export interface Bounds {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** What is no higher than this is something to stand on. */
const HIGHEST_STEP = 0.15;
const MOST_PLACES = 400;

/**
 * Returns the place nearest to `x` and `y` where something of a width stands free, with the height
 * of what it stands on. Where everything is full, the place itself.
 */
export function freePlace([x, y]: readonly [number, number], width: number, things: readonly Bounds[]): Vec3 {
  const half = width / 2 + 0.02;
  for (let n = 0; n < MOST_PLACES; n += 1) {
    // A spiral that leaves no gap wider than the thing.
    const angle = 2.4 * n;
    const radius = 0.6 * width * Math.sqrt(n);
    const place = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)].map((at) => Math.round(at * 100) / 100);
    const [px = x, py = y] = place;
    const below = things.filter(({ min, max }) => min[0] < px + half && max[0] > px - half && min[1] < py + half && max[1] > py - half);
    const top = Math.max(0, ...below.map(({ max }) => max[2]));
    if (top <= HIGHEST_STEP) {
      return [px, py, top];
    }
  }
  return [x, y, 0];
}
