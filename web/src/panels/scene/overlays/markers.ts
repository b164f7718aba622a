/** What overlays show of a world, as plain data: which mark, on what, where on it, how large. */
import { compose, IDENTITY_POSE, rotationFromZ, type Pose, type Vec3 } from '../../../lib/pose';
import { unit } from '../../../lib/vector';
import { readMap, readMaps, readPose, readVec3 } from '../../../world/components';
import type { Entity, EntityId } from '../../../world/entity';
import type { World } from '../../../world/world';
import { inertiaBoxOf } from './inertiaBox';

export const OVERLAYS = ['collisions', 'contacts', 'inertia', 'centres', 'joints', 'frames'] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** What overlays are called. */
export const OVERLAY_NAMES: Readonly<Record<Overlay, string>> = {
  collisions: 'Collisions', contacts: 'Contacts', inertia: 'Inertia', centres: 'Centres of mass', joints: 'Joints', frames: 'Frames',
};

/** Along z where they have an axis, and of size 1. */
export type MarkerShape = 'box' | 'ball' | 'arrow' | 'pointer' | 'rod' | 'ring' | 'triad';

export interface Marker {
  readonly shape: MarkerShape;
  /** What it moves along with. */
  readonly entity: EntityId;
  /** In the frame of the entity. */
  readonly pose: Pose;
  readonly size: Vec3;
  /** Whether `size` is in metres, or in pixels of the view. */
  readonly unit: 'metres' | 'pixels';
  readonly color: string;
  readonly opacity: number;
}

/** A text that stands at an entity. */
export interface MarkerLabel {
  readonly entity: EntityId;
  readonly at: Vec3;
  readonly text: string;
}

/** Density of lead in kg/m³: a centre of mass is shown as a ball of that, as in Gazebo. */
const LEAD = 11_340;
const JOINT_PX = 46;
const FRAME_PX = 30;
const COLORS = { inertia: '#c678ff', centres: '#ffd23f', joints: '#ff9f43', second: '#4fd1c5' } as const;

/** More labels than this cover one another. */
const MOST_LABELS = 60;

/** Returns the marks of the overlays that are on. */
export function markersOf(world: World, on: ReadonlySet<Overlay>): readonly Marker[] {
  const markers: Marker[] = [];
  for (const entity of world.entities()) {
    // What never moves has no use for a mass, and files give it any.
    if (entity.kind === 'link' && (on.has('inertia') || on.has('centres')) && !isFixed(world, entity.id)) {
      markers.push(...(on.has('inertia') ? inertiaOf(entity) : []), ...(on.has('centres') ? centreOf(entity) : []));
    }
    if (on.has('joints') && entity.kind === 'joint') {
      markers.push(...jointOf(entity));
    }
    if (on.has('frames') && (entity.kind === 'link' || entity.kind === 'model' || entity.kind === 'frame')) {
      markers.push(marker('triad', entity.id, IDENTITY_POSE, [FRAME_PX, FRAME_PX, FRAME_PX], { unit: 'pixels', color: '#ffffff' }));
    }
  }
  return markers;
}

/** Returns what joints are called and of which kind they are; none when there are too many. */
export function jointLabels(world: World): readonly MarkerLabel[] {
  const joints = [...world.entities()].filter(({ kind }) => kind === 'joint');
  return joints.length > MOST_LABELS ? [] : joints.flatMap((entity) => {
    const joint = readJoint(entity);
    return joint === undefined ? [] : [{ entity: joint.child, at: joint.childFromJoint.position, text: `${entity.name} · ${joint.kind}` }];
  });
}

/** Says whether something is part of a model that never moves. */
export function isFixed(world: World, part: EntityId): boolean {
  return world.lineage(part).some((entity) => readMap(entity.component('model'))?.['is_static'] === true);
}

function inertiaOf(link: Entity): readonly Marker[] {
  const body = readInertial(link);
  const box = body && inertiaBoxOf(body.massKg, body);
  if (body === undefined || box === undefined) {
    return [];
  }
  const pose = compose(body.linkFromCentre, { position: [0, 0, 0], rotation: box.rotation });
  return [marker('box', link.id, pose, box.size, { color: COLORS.inertia, opacity: 0.45 })];
}

function centreOf(link: Entity): readonly Marker[] {
  const body = readInertial(link);
  if (body === undefined || !(body.massKg > 0)) {
    return [];
  }
  const radius = Math.cbrt((0.75 * body.massKg) / (Math.PI * LEAD));
  return [marker('ball', link.id, body.linkFromCentre, [radius, radius, radius], { color: COLORS.centres, opacity: 0.9 })];
}

function jointOf(entity: Entity): readonly Marker[] {
  const joint = readJoint(entity);
  if (joint === undefined) {
    return [];
  }
  const { child, childFromJoint, axes, kind } = joint;
  const place = (axis: Vec3): Pose => compose(childFromJoint, { position: [0, 0, 0], rotation: rotationFromZ(unit(axis)) });
  const px = (shape: MarkerShape, pose: Pose, size: number, color: string): Marker => marker(shape, child, pose, [size, size, size], { unit: 'pixels', color, opacity: 0.95 });
  if (axes.length === 0) {
    // Nothing turns in a fixed joint; a ball joint turns about everything.
    return [px(kind === 'ball' ? 'ball' : 'box', childFromJoint, kind === 'ball' ? 9 : 11, COLORS.joints)];
  }
  return axes.flatMap((axis, n) => {
    const color = n === 0 ? COLORS.joints : COLORS.second;
    const slides = kind === 'prismatic';
    return [px(slides ? 'rod' : 'arrow', place(axis), JOINT_PX, color), ...(slides ? [] : [px('ring', place(axis), JOINT_PX, color)])];
  });
}

interface Look {
  readonly unit?: Marker['unit'];
  readonly color: string;
  readonly opacity?: number;
}

function marker(shape: MarkerShape, entity: EntityId, pose: Pose, size: Vec3, { unit: measure = 'metres', color, opacity = 1 }: Look): Marker {
  return { shape, entity, pose, size, unit: measure, color, opacity };
}

interface Body {
  readonly massKg: number;
  readonly linkFromCentre: Pose;
  readonly moments: Vec3;
  readonly products: Vec3;
}

function readInertial(link: Entity): Body | undefined {
  const map = readMap(link.component('inertial'));
  const linkFromCentre = readPose(map?.['link_from_com']);
  const moments = readVec3(map?.['moments']);
  const products = readVec3(map?.['products']);
  const massKg = map?.['mass_kg'];
  return typeof massKg === 'number' && linkFromCentre && moments && products ? { massKg, linkFromCentre, moments, products } : undefined;
}

interface Joint {
  readonly kind: string;
  readonly child: EntityId;
  readonly childFromJoint: Pose;
  readonly axes: readonly Vec3[];
}

function readJoint(entity: Entity): Joint | undefined {
  const map = readMap(entity.component('joint'));
  const childFromJoint = readPose(map?.['child_from_joint']);
  const child = map?.['child'];
  const kind = map?.['kind'];
  if (map === undefined || childFromJoint === undefined || typeof child !== 'number' || typeof kind !== 'string') {
    return undefined;
  }
  const axes = readMaps(map['axes']).map((axis) => readVec3(axis['xyz'])).filter((axis) => axis !== undefined);
  return { kind, child, childFromJoint, axes };
}
