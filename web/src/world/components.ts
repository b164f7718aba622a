/**
 * Component values as the page uses them. Values come as self-describing MessagePack, so each
 * reader checks what it takes and returns undefined for anything else: an unknown version of a
 * component is then shown as it is instead of breaking a panel.
 */
import type { Pose, Quat, Vec3 } from '../lib/pose';

export type Color = readonly [number, number, number, number];

export type Geometry =
  | { readonly shape: 'empty' }
  | { readonly shape: 'box'; readonly size: Vec3 }
  | { readonly shape: 'sphere'; readonly radius: number }
  | { readonly shape: 'cylinder' | 'capsule' | 'cone'; readonly radius: number; readonly length: number }
  | { readonly shape: 'ellipsoid'; readonly radii: Vec3 }
  | { readonly shape: 'plane'; readonly normal: Vec3; readonly size: readonly [number, number] }
  | { readonly shape: 'mesh'; readonly source: string; readonly scale: Vec3 }
  | { readonly shape: 'heightmap'; readonly uri: string; readonly size: Vec3; readonly position: Vec3 }
  | { readonly shape: 'polyline'; readonly outlines: readonly (readonly Vec2[])[]; readonly height: number };
export type Vec2 = readonly [number, number];

export interface Material {
  readonly ambient: Color;
  readonly diffuse: Color;
  readonly specular: Color;
  readonly emissive: Color;
  readonly pbr: { readonly metalness: number; readonly roughness: number } | undefined;
  /** Address of the image on it, as the world file writes it. */
  readonly albedoMap: string | undefined;
  /** Name of a Gazebo material script. */
  readonly script: string | undefined;
}

export interface Light {
  readonly kind: 'point' | 'directional' | 'spot';
  readonly diffuse: Color;
  readonly intensity: number;
  readonly rangeMetres: number;
  readonly linear: number;
  readonly quadratic: number;
  readonly direction: Vec3;
  readonly innerAngleRad: number;
  readonly outerAngleRad: number;
  readonly castShadows: boolean;
}

export interface SceneSettings {
  readonly ambient: Color;
  readonly shadows: boolean;
  readonly grid: boolean;
}

/** Returns the value as a map with text keys. */
export function readMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const plain = typeof value === 'object' && value !== null && !Array.isArray(value);
  return plain && !(value instanceof Uint8Array) ? (value as Record<string, unknown>) : undefined;
}

/** Returns the maps of a list, without what else is in it. */
export function readMaps(value: unknown): Readonly<Record<string, unknown>>[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.map(readMap).filter((map) => map !== undefined);
}

/** Returns the value as a list of exactly `length` numbers, or of any number of them. */
export function readNumbers(value: unknown, length?: number): readonly number[] | undefined {
  if (!Array.isArray(value) || (length !== undefined && value.length !== length)) {
    return undefined;
  }
  const numbers: unknown[] = value;
  return numbers.every((item) => typeof item === 'number') ? numbers : undefined;
}

export function readVec3(value: unknown): Vec3 | undefined {
  return readNumbers(value, 3) as Vec3 | undefined;
}

export function readPose(value: unknown): Pose | undefined {
  const map = readMap(value);
  const position = readVec3(map?.['position']);
  const rotation = readNumbers(map?.['rotation'], 4) as Quat | undefined;
  return position && rotation ? { position, rotation } : undefined;
}

export function readColor(value: unknown): Color | undefined {
  return readNumbers(value, 4) as Color | undefined;
}

export function readGeometry(value: unknown): Geometry | undefined {
  if (value === 'empty') {
    return { shape: 'empty' };
  }
  const [shape, body] = Object.entries(readMap(value) ?? {})[0] ?? [];
  const fields = readMap(body) ?? {};
  const { radius, length, normal } = fields;
  switch (shape) {
    case 'box':
      return withVec3(fields['size'], (size) => ({ shape, size }));
    case 'ellipsoid':
      return withVec3(fields['radii'], (radii) => ({ shape, radii }));
    case 'sphere':
      return typeof radius === 'number' ? { shape, radius } : undefined;
    case 'cylinder':
    case 'capsule':
    case 'cone':
      return typeof radius === 'number' && typeof length === 'number' ? { shape, radius, length } : undefined;
    case 'plane': {
      const size = readNumbers(fields['size'], 2) as Vec2 | undefined;
      return size && withVec3(normal, (unit) => ({ shape, normal: unit, size }));
    }
    case 'mesh':
      return withVec3(fields['scale'], (scale) => ({ shape, source: meshSource(fields), scale }));
    case 'heightmap':
      return withVec3(fields['size'], (size) => ({
        shape,
        uri: readText(fields['uri']),
        size,
        position: readVec3(fields['position']) ?? [0, 0, 0],
      }));
    case 'polyline':
      return readPolyline(fields);
    default:
      return undefined;
  }
}

export function readMaterial(value: unknown): Material | undefined {
  const map = readMap(value);
  const diffuse = readColor(map?.['diffuse']);
  if (map === undefined || diffuse === undefined) {
    return undefined;
  }
  const pbr = readMap(map['pbr']);
  return {
    diffuse,
    ambient: readColor(map['ambient']) ?? diffuse,
    specular: readColor(map['specular']) ?? [0, 0, 0, 1],
    emissive: readColor(map['emissive']) ?? [0, 0, 0, 1],
    pbr: pbr && { metalness: readNumber(pbr['metalness'], 0), roughness: readNumber(pbr['roughness'], 0.5) },
    albedoMap: readText(pbr?.['albedo_map']) || undefined,
    script: readText(map['script']) || undefined,
  };
}

export function readLight(value: unknown): Light | undefined {
  const map = readMap(value);
  const kind = (['point', 'directional', 'spot'] as const).find((known) => known === map?.['kind']);
  if (map === undefined || kind === undefined) {
    return undefined;
  }
  const attenuation = readMap(map['attenuation']) ?? {};
  const spot = readMap(map['spot']) ?? {};
  return {
    kind,
    diffuse: readColor(map['diffuse']) ?? [1, 1, 1, 1],
    intensity: readNumber(map['intensity'], 1),
    rangeMetres: readNumber(attenuation['range'], 10),
    linear: readNumber(attenuation['linear'], 1),
    quadratic: readNumber(attenuation['quadratic'], 0),
    direction: readVec3(map['direction']) ?? [0, 0, -1],
    innerAngleRad: readNumber(spot['inner_angle'], 0),
    outerAngleRad: readNumber(spot['outer_angle'], 0),
    castShadows: map['cast_shadows'] === true,
  };
}

export function readScene(value: unknown): SceneSettings {
  const map = readMap(value);
  return {
    ambient: readColor(map?.['ambient']) ?? [0.4, 0.4, 0.4, 1],
    shadows: map?.['shadows'] !== false,
    grid: map?.['grid'] !== false,
  };
}

/** Transparency (0 opaque, 1 unseen) and shadows of a visual. */
export function readVisual(value: unknown): { readonly transparency: number; readonly castShadows: boolean } {
  const map = readMap(value);
  return {
    transparency: readNumber(map?.['transparency'], 0),
    castShadows: map?.['cast_shadows'] !== false,
  };
}

/** Names the triangles of a mesh: two meshes of the same name look alike. */
function meshSource(fields: Readonly<Record<string, unknown>>): string {
  const file = readText(fields['path']) || readText(fields['uri']);
  const submesh = readText(fields['submesh']);
  const centred = submesh !== '' && fields['center_submesh'] === true ? ' centred' : '';
  return `${file} ${submesh}${centred}`.trim();
}

function readPolyline(fields: Readonly<Record<string, unknown>>): Geometry | undefined {
  const { outlines, height } = fields;
  if (!Array.isArray(outlines) || typeof height !== 'number') {
    return undefined;
  }
  const points = outlines.map((outline: unknown) =>
    (Array.isArray(outline) ? outline : []).flatMap((point: unknown) => {
      const pair = readNumbers(point, 2) as Vec2 | undefined;
      return pair ? [pair] : [];
    }),
  );
  return { shape: 'polyline', outlines: points, height };
}

function readNumber(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function withVec3<T>(value: unknown, make: (vector: Vec3) => T): T | undefined {
  const vector = readVec3(value);
  return vector && make(vector);
}
