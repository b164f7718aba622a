/** What a person fills in to add something to an entity, and the SDF text that comes of it. */
import {
  axisCount, collisionElement, jointElement, lightElement, linkElement, modelElement, sdfDocument, sensorElement, standingHeight,
  visualElement, type JointKind, type LightKind, type SensorKind, type Shape, type ShapeKind,
} from '../../commands/sdfText';
import type { Vec3 } from '../../lib/pose';
import type { Entity, EntityId } from '../../world/entity';
import type { World } from '../../world/world';

export const ADDITIONS = ['link', 'joint', 'model', 'collision', 'visual', 'sensor', 'light', 'text'] as const;
export type Addition = (typeof ADDITIONS)[number];

/** Everything that a dialog asks for; which of it counts goes by the addition. */
export interface Draft {
  readonly addition: Addition;
  readonly name: string;
  readonly shape: Shape;
  readonly massKg: number;
  readonly jointKind: JointKind;
  readonly parent: string;
  readonly child: string;
  readonly axis: Vec3;
  readonly sensorKind: SensorKind;
  readonly rateHz: number;
  readonly collision: string;
  readonly lightKind: LightKind;
  /** Where in the frame of what holds it. */
  readonly position: Vec3;
  /** SDF that a person writes. */
  readonly text: string;
}

/** Sizes that are seen beside a robot and beside a car. */
export function defaultShape(kind: ShapeKind): Shape {
  return { kind, size: kind === 'ellipsoid' ? [0.3, 0.2, 0.15] : [0.4, 0.4, 0.4], radius: 0.2, length: 0.4 };
}

/** What can be added to entities of a kind. */
export function additionsTo(kind: string): readonly Addition[] {
  switch (kind) {
    case 'model':
      return ['link', 'joint', 'model', 'text'];
    case 'link':
      return ['collision', 'visual', 'sensor', 'light', 'text'];
    case 'world':
      return ['text'];
    default:
      return [];
  }
}

/** What an addition is called in menus and titles. */
export function additionTitle(addition: Addition): string {
  return addition === 'text' ? 'Add SDF text' : `Add ${addition}`;
}

/** Begins a dialog with what is likely wanted, under a name that is free. */
export function draftFor(world: World, holder: Entity, addition: Addition): Draft {
  const links = linksOf(world, holder.id);
  const collisions = world.children(holder.id).filter(({ kind }) => kind === 'collision');
  return {
    addition,
    name: freeName(world, holder.id, addition),
    shape: defaultShape('box'),
    massKg: 1,
    jointKind: 'revolute',
    parent: links.at(-2) ?? 'world',
    child: links.at(-1) ?? '',
    axis: [0, 0, 1],
    sensorKind: 'imu',
    rateHz: 30,
    collision: collisions[0]?.name ?? '',
    lightKind: 'point',
    position: [0, 0, 0],
    text: holder.kind === 'world' ? '<light name="lamp" type="point">\n  <pose>0 0 2 0 0 0</pose>\n</light>' : '<plugin name="" filename="">\n</plugin>',
  };
}

/** The kinds of links that a joint of a model can hold on to, as SDF names them. */
export function linksOf(world: World, model: EntityId): readonly string[] {
  const visit = (id: EntityId, prefix: string): readonly string[] =>
    world.children(id).flatMap((child) => {
      const name = `${prefix}${child.name}`;
      return child.kind === 'link' ? [name] : child.kind === 'model' ? visit(child.id, `${name}::`) : [];
    });
  return visit(model, '');
}

/** Returns a name that no child of an entity has. */
export function freeName(world: World, holder: EntityId, wanted: string): string {
  const taken = new Set(world.children(holder).map(({ name }) => name));
  let name = wanted;
  for (let n = 2; taken.has(name); n += 1) {
    name = `${wanted}_${n}`;
  }
  return name;
}

/** Says what is wrong with a draft; undefined when it can be sent. The server has the last word. */
export function problemIn(world: World, holder: EntityId, draft: Draft): string | undefined {
  const { addition, name, shape, massKg, parent, child, axis, jointKind, sensorKind, rateHz, collision } = draft;
  if (addition === 'text') {
    return draft.text.trim() === '' ? 'Write one SDF element' : undefined;
  }
  if (name.trim() === '') {
    return 'It needs a name';
  }
  if (world.children(holder).some((sibling) => sibling.name === name.trim())) {
    return `There is a “${name.trim()}” already. Choose another name`;
  }
  const lengths = lengthsOf(shape);
  if (hasShape(addition) && lengths.some((length) => !(length > 0) || !Number.isFinite(length))) {
    return 'Every length must be greater than 0';
  }
  if (hasMass(addition) && !(massKg > 0 && Number.isFinite(massKg))) {
    return 'The mass must be greater than 0';
  }
  if (addition === 'joint') {
    return jointProblem(parent, child, axisCount(jointKind) > 0 ? axis : undefined);
  }
  if (addition === 'sensor') {
    if (!(rateHz >= 0 && Number.isFinite(rateHz))) {
      return 'The rate must be 0 or more';
    }
    return sensorKind === 'contact' && collision === '' ? 'A contact sensor needs a collision of its link. Add one first' : undefined;
  }
  return undefined;
}

export function hasShape(addition: Addition): boolean {
  return hasMass(addition) || addition === 'collision' || addition === 'visual';
}

export function hasMass(addition: Addition): boolean {
  return addition === 'link' || addition === 'model';
}

/** Where something new is, unless the person says so: beside what is there already. */
export function placed(addition: Addition): boolean {
  return addition !== 'joint' && addition !== 'text';
}

/** Writes the draft as SDF. */
export function sdfOf(draft: Draft): string {
  const { addition, shape, massKg } = draft;
  const name = draft.name.trim();
  switch (addition) {
    case 'link':
      return sdfDocument(linkElement({ name, shape, massKg }));
    case 'model':
      return sdfDocument(modelElement({ name, shape, massKg }));
    case 'joint':
      return sdfDocument(jointElement({ name, kind: draft.jointKind, parent: draft.parent, child: draft.child, axis: draft.axis }));
    case 'collision':
      return sdfDocument(collisionElement({ name, shape }));
    case 'visual':
      return sdfDocument(visualElement({ name, shape }));
    case 'sensor':
      return sdfDocument(sensorElement({ name, kind: draft.sensorKind, rateHz: draft.rateHz, collision: draft.collision }));
    case 'light':
      return sdfDocument(lightElement({ name, kind: draft.lightKind }));
    case 'text':
      return /<sdf[\s>]|<robot[\s>]/.test(draft.text) ? draft.text : sdfDocument(draft.text);
  }
}

/** What the menu Insert offers. */
export const INSERTS = ['box', 'sphere', 'cylinder', 'capsule', 'cone', 'ellipsoid', 'point', 'spot', 'directional'] as const;
export type Insert = (typeof INSERTS)[number];

/** A thing for the world, how high above the ground it begins, and the room that it needs. */
export interface Insertable {
  readonly sdf: string;
  /** What is seen of it; lights have none. */
  readonly shape: Shape | undefined;
  readonly heightMetres: number;
  readonly widthMetres: number;
}

/** Returns what an item of the menu puts into the world. */
export function insertOf(insert: Insert): Insertable {
  switch (insert) {
    case 'point':
    case 'spot':
    case 'directional':
      return { sdf: sdfDocument(lightElement({ name: `${insert}_light`, kind: insert })), shape: undefined, heightMetres: insert === 'directional' ? 5 : 2, widthMetres: 0 };
    default: {
      const shape = defaultShape(insert);
      return { sdf: sdfDocument(modelElement({ name: insert, shape, massKg: 1 })), shape, heightMetres: standingHeight(shape), widthMetres: widthOf(shape) };
    }
  }
}

/** Reads the pose that a file gives its first model, before its parts; undefined when there is none. */
export function filePose(text: string): readonly number[] | undefined {
  const head = /<model[\s>][^]*?(?=<(?:link|joint|model|include|frame|plugin)[\s>])/.exec(text.replace(/<!--[^]*?-->/g, ''))?.[0] ?? '';
  const numbers = /<pose(?![^>]*degrees)[^>]*>([^<]*)<\/pose>/.exec(head)?.[1]?.trim().split(/\s+/).map(Number);
  return numbers?.length === 6 && numbers.every(Number.isFinite) ? numbers : undefined;
}

function jointProblem(parent: string, child: string, axis: Vec3 | undefined): string | undefined {
  if (child === '') {
    return 'A joint needs a link that it moves. Add a link first';
  }
  if (parent === child) {
    return 'Parent and child must be two links';
  }
  return axis !== undefined && !(Math.hypot(...axis) > 1e-9) ? 'The axis must point somewhere' : undefined;
}

function widthOf({ kind, size: [x, y], radius }: Shape): number {
  return kind === 'box' ? Math.max(x, y) : kind === 'ellipsoid' ? 2 * Math.max(x, y) : 2 * radius;
}

/** The lengths of a shape that count for its kind. */
export function lengthsOf({ kind, size, radius, length }: Shape): readonly number[] {
  switch (kind) {
    case 'box':
    case 'ellipsoid':
      return size;
    case 'sphere':
      return [radius];
    case 'cylinder':
    case 'capsule':
    case 'cone':
      return [radius, length];
  }
}
