/** SDF text of what people insert. Every text that a person typed is escaped. */
import type { Vec3 } from '../lib/pose';

export const SHAPES = ['box', 'sphere', 'cylinder', 'capsule', 'cone', 'ellipsoid'] as const;
export type ShapeKind = (typeof SHAPES)[number];

/** A shape with all its lengths, in metres; which of them count goes by the kind. */
export interface Shape {
  readonly kind: ShapeKind;
  /** Edges of a box, half axes of an ellipsoid. */
  readonly size: Vec3;
  readonly radius: number;
  /** Of a capsule: without its ends. */
  readonly length: number;
}

export const JOINT_KINDS = ['revolute', 'continuous', 'prismatic', 'fixed', 'ball', 'universal', 'revolute2', 'screw'] as const;
export type JointKind = (typeof JOINT_KINDS)[number];

export const LIGHT_KINDS = ['point', 'spot', 'directional'] as const;
export type LightKind = (typeof LIGHT_KINDS)[number];

/** Kinds of sensors that SDF has for links. */
export const SENSOR_KINDS = [
  'imu', 'contact', 'force_torque', 'altimeter', 'camera', 'depth_camera', 'rgbd_camera', 'thermal_camera',
  'logical_camera', 'gpu_lidar', 'lidar', 'navsat', 'magnetometer', 'air_pressure', 'air_speed', 'sonar',
] as const;
export type SensorKind = (typeof SENSOR_KINDS)[number];

/** Wraps an element into a document. */
export function sdfDocument(element: string): string {
  return `<?xml version="1.0"?>\n<sdf version="1.12">\n${element}\n</sdf>\n`;
}

/** A model that lies in a file of its own, by the name that a library has for it. */
export function includeElement(uri: string): string {
  return `<include><uri>${escapeXml(uri)}</uri></include>`;
}

/** A model of one link that looks as it collides. */
export function modelElement({ name, shape, massKg }: { name: string; shape: Shape; massKg: number }): string {
  return `<model name="${escapeXml(name)}">\n${linkElement({ name: 'link', shape, massKg })}\n</model>`;
}

/** A link that looks as it collides. Its inertia is that of the shape filled evenly. */
export function linkElement({ name, shape, massKg }: { name: string; shape: Shape; massKg: number }): string {
  const density = massKg / volumeOf(shape);
  return `<link name="${escapeXml(name)}">
  <inertial auto="true"><density>${density}</density></inertial>
  ${collisionElement({ name: 'collision', shape })}
  ${visualElement({ name: 'visual', shape })}
</link>`;
}

export function collisionElement({ name, shape }: { name: string; shape: Shape }): string {
  return `<collision name="${escapeXml(name)}">${geometryElement(shape)}</collision>`;
}

export function visualElement({ name, shape }: { name: string; shape: Shape }): string {
  const colors = '<ambient>0.42 0.55 0.78 1</ambient><diffuse>0.42 0.55 0.78 1</diffuse><specular>0.1 0.1 0.1 1</specular>';
  return `<visual name="${escapeXml(name)}">${geometryElement(shape)}<material>${colors}</material></visual>`;
}

export interface JointText {
  readonly name: string;
  readonly kind: JointKind;
  /** Name of a link, scoped from the model; "world" for none. */
  readonly parent: string;
  readonly child: string;
  readonly axis: Vec3;
}

export function jointElement({ name, kind, parent, child, axis }: JointText): string {
  const axes = axisCount(kind);
  const first = axes > 0 ? axisElement('axis', kind, axis) : '';
  const second = axes > 1 ? axisElement('axis2', kind, perpendicular(axis)) : '';
  const ends = `<parent>${escapeXml(parent)}</parent><child>${escapeXml(child)}</child>`;
  return `<joint name="${escapeXml(name)}" type="${kind}">${ends}${first}${second}</joint>`;
}

export interface SensorText {
  readonly name: string;
  readonly kind: SensorKind;
  /** Measurements per second; 0 means every step. */
  readonly rateHz: number;
  /** Of a contact sensor: the collision that feels. */
  readonly collision: string;
}

export function sensorElement({ name, kind, rateHz, collision }: SensorText): string {
  const own = sensorParts(kind, collision);
  return `<sensor name="${escapeXml(name)}" type="${kind}"><always_on>true</always_on><update_rate>${rateHz}</update_rate>${own}</sensor>`;
}

export function lightElement({ name, kind }: { name: string; kind: LightKind }): string {
  const direction = kind === 'point' ? '' : `<direction>${kind === 'spot' ? '0 0 -1' : '-0.4 0.2 -0.9'}</direction>`;
  const spot = kind === 'spot' ? '<spot><inner_angle>0.4</inner_angle><outer_angle>0.8</outer_angle><falloff>1</falloff></spot>' : '';
  const fading = '<attenuation><range>20</range><constant>0.5</constant><linear>0.05</linear><quadratic>0.01</quadratic></attenuation>';
  const colors = '<diffuse>0.8 0.8 0.8 1</diffuse><specular>0.2 0.2 0.2 1</specular>';
  const shadows = `<cast_shadows>${kind !== 'point'}</cast_shadows>`;
  return `<light name="${escapeXml(name)}" type="${kind}">${shadows}${colors}${fading}${direction}${spot}</light>`;
}

/** How far the middle of a shape is above the ground that it stands on. */
export function standingHeight({ kind, size, radius, length }: Shape): number {
  switch (kind) {
    case 'box':
      return size[2] / 2;
    case 'sphere':
      return radius;
    case 'cylinder':
    case 'cone':
      return length / 2;
    case 'capsule':
      return length / 2 + radius;
    case 'ellipsoid':
      return size[2];
  }
}

/** Volume in m³. */
export function volumeOf({ kind, size: [x, y, z], radius, length }: Shape): number {
  const ball = (4 / 3) * Math.PI;
  switch (kind) {
    case 'box':
      return x * y * z;
    case 'sphere':
      return ball * radius ** 3;
    case 'cylinder':
      return Math.PI * radius ** 2 * length;
    case 'capsule':
      return Math.PI * radius ** 2 * length + ball * radius ** 3;
    case 'cone':
      return (Math.PI * radius ** 2 * length) / 3;
    case 'ellipsoid':
      return ball * x * y * z;
  }
}

/** Makes a text harmless inside of elements and attributes. */
export function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** How many axes a kind of joint has. */
export function axisCount(kind: JointKind): number {
  switch (kind) {
    case 'fixed':
    case 'ball':
      return 0;
    case 'revolute':
    case 'continuous':
    case 'prismatic':
    case 'screw':
      return 1;
    case 'universal':
    case 'revolute2':
      return 2;
  }
}

function geometryElement(shape: Shape): string {
  return `<geometry><${shape.kind}>${lengthElements(shape)}</${shape.kind}></geometry>`;
}

function lengthElements({ kind, size, radius, length }: Shape): string {
  switch (kind) {
    case 'box':
      return `<size>${size.join(' ')}</size>`;
    case 'ellipsoid':
      return `<radii>${size.join(' ')}</radii>`;
    case 'sphere':
      return `<radius>${radius}</radius>`;
    case 'cylinder':
    case 'capsule':
    case 'cone':
      return `<radius>${radius}</radius><length>${length}</length>`;
  }
}

function axisElement(tag: string, kind: JointKind, axis: Vec3): string {
  const limits = kind === 'prismatic' ? '<lower>-0.5</lower><upper>0.5</upper>' : '<lower>-1.57</lower><upper>1.57</upper>';
  const limit = kind === 'continuous' || kind === 'screw' ? '' : `<limit>${limits}</limit>`;
  return `<${tag}><xyz>${axis.join(' ')}</xyz>${limit}</${tag}>`;
}

function perpendicular([x, y]: Vec3): Vec3 {
  return Math.hypot(x, y) > 1e-9 ? [-y, x, 0] : [1, 0, 0];
}

function sensorParts(kind: SensorKind, collision: string): string {
  switch (kind) {
    case 'contact':
      return `<contact><collision>${escapeXml(collision)}</collision></contact>`;
    case 'camera':
    case 'depth_camera':
    case 'rgbd_camera':
    case 'thermal_camera':
      return '<camera><horizontal_fov>1.047</horizontal_fov><image><width>320</width><height>240</height></image><clip><near>0.1</near><far>100</far></clip></camera>';
    case 'logical_camera':
      return '<logical_camera><near>0.1</near><far>10</far><aspect_ratio>1.33</aspect_ratio><horizontal_fov>1.047</horizontal_fov></logical_camera>';
    case 'gpu_lidar':
    case 'lidar':
      return '<lidar><scan><horizontal><samples>360</samples><resolution>1</resolution><min_angle>-3.14159</min_angle><max_angle>3.14159</max_angle></horizontal></scan><range><min>0.1</min><max>10</max></range></lidar>';
    case 'sonar':
      return '<sonar><min>0.1</min><max>5</max><radius>0.5</radius></sonar>';
    case 'imu':
    case 'force_torque':
    case 'altimeter':
    case 'navsat':
    case 'magnetometer':
    case 'air_pressure':
    case 'air_speed':
      return '';
  }
}
