/**
 * What can be edited: the table that the host sends, and the fields of it that a component has.
 *
 * The table names fields by their path in the component's value, with `*` for a position in a
 * list; a component gives such a path its positions.
 */
import { ComponentField_Type as Type, type ComponentField, type ComponentFields } from '../protocol/generated/retake/msgs/component_pb';
import { readMap, readNumbers, readPose } from './components';
import { printElements } from './elements';
import type { FieldValue } from './fieldValue';

export type FieldType = 'number' | 'integer' | 'flag' | 'text' | 'choice' | 'vector' | 'pose' | 'color' | 'entity';

/** A row of the table. */
export interface Field {
  readonly component: string;
  /** Empty when the component is one value, and for the choice between values of different kinds. */
  readonly path: string;
  readonly label: string;
  readonly help: string;
  readonly type: FieldType;
  /** "m", "rad"; two with a bar between them go by the kind of the joint: angles first. */
  readonly unit: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly infinite: boolean;
  readonly choices: readonly string[];
  readonly optional: boolean;
  readonly entityKind: string;
  /** Kinds of entities whose component this is. */
  readonly kinds: readonly string[];
}

/** A field of a component that is there, with its value. */
export interface FieldAt {
  readonly field: Field;
  /** With positions instead of `*`. */
  readonly path: string;
  /** Positions in lists on the way, outermost first, and how long the lists are. */
  readonly places: readonly { readonly index: number; readonly count: number }[];
  readonly value: FieldValue;
  /** What it begins with when it is not there yet, if that is known. */
  readonly first?: FieldValue;
  /** Whether it is a text of many lines. */
  readonly multiline: boolean;
}

/** Entries of a list beyond these have no editors. */
const MOST_ENTRIES = 200;

const TYPES: ReadonlyMap<Type, FieldType> = new Map([
  [Type.NUMBER, 'number'],
  [Type.INTEGER, 'integer'],
  [Type.FLAG, 'flag'],
  [Type.TEXT, 'text'],
  [Type.CHOICE, 'choice'],
  [Type.VECTOR, 'vector'],
  [Type.POSE, 'pose'],
  [Type.COLOR, 'color'],
  [Type.ENTITY, 'entity'],
]);

/** The whole table; until the host has sent it, nothing can be edited. */
export class FieldTable {
  static readonly EMPTY = new FieldTable([]);

  constructor(readonly fields: readonly Field[]) {}

  /** Reads the table; what a newer host lets people edit in a way unknown here is left out. */
  static from(message: ComponentFields): FieldTable {
    return new FieldTable(message.field.flatMap(fieldOf));
  }

  /** The fields of a component of an entity of a kind, in the order of the table. */
  of(kind: string, component: string): readonly Field[] {
    return this.fields.filter((field) => field.component === component && field.kinds.includes(kind));
  }

  /** The field that a path with positions leads to. */
  at(component: string, path: string): Field | undefined {
    const fits = (field: Field): boolean => {
      const [wanted, given] = [field.path.split('.'), path.split('.')];
      return wanted.length === given.length && wanted.every((part, i) => part === given[i] || (part === '*' && /^\d+$/.test(given[i] ?? '')));
    };
    return this.fields.find((field) => field.component === component && fits(field));
  }

  /** Names of the components of entities of a kind that can be edited, in the order of the table. */
  components(kind: string): readonly string[] {
    return [...new Set(this.fields.filter(({ kinds }) => kinds.includes(kind)).map(({ component }) => component))];
  }

  /** What screen readers call a field: the words of its path, or of its component. */
  spokenName({ field, path }: Pick<FieldAt, 'field' | 'path'>): string {
    const words = spoken(path);
    const nameless = !/\p{L}/u.test(words);
    const rivals = this.fields.some(
      (other) =>
        other.component !== field.component &&
        spoken(other.path) === spoken(field.path) &&
        other.kinds.some((kind) => field.kinds.includes(kind)),
    );
    return nameless || rivals ? `${spoken(field.component)} ${words}`.trim() : words;
  }
}

/** Returns the fields that a component's value has, each with its value. */
export function fieldsIn(fields: readonly Field[], component: unknown): readonly FieldAt[] {
  return fields.flatMap((field) => instances(field, component));
}

/** Reads a value in the way of a field; undefined when it is none of its type. */
export function readField({ type, optional }: Pick<Field, 'type' | 'optional'>, value: unknown): FieldValue | undefined {
  if (value === undefined) {
    return undefined; // What would hold it is not there, or is of another kind.
  }
  if (value === null) {
    // A part of a component that may be there or not is a flag.
    return optional ? { type: 'none' } : type === 'flag' ? { type: 'flag', flag: false } : undefined;
  }
  switch (type) {
    case 'number':
    case 'integer':
      return typeof value === 'number' ? { type: 'number', number: value } : undefined;
    case 'flag':
      return typeof value === 'boolean' ? { type: 'flag', flag: value } : readMap(value) && { type: 'flag', flag: true };
    case 'text':
      return textValue(typeof value === 'string' ? value : printElements(value));
    case 'choice':
      return textValue(variantOf(value));
    case 'vector':
    case 'color':
      return numbersValue(readNumbers(value));
    case 'pose': {
      const pose = readPose(value);
      return pose && { type: 'numbers', numbers: [...pose.position, ...pose.rotation] };
    }
    case 'entity':
      return typeof value === 'number' ? { type: 'entity', entity: value } : undefined;
  }
}

/** The name of the kind that a value is of: `sphere` of `{ sphere: { radius: 1 } }`. */
function variantOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value;
  }
  const keys = Object.keys(readMap(value) ?? {});
  return keys.length === 1 ? keys[0] : undefined;
}

interface Found {
  readonly at: unknown;
  readonly path: readonly string[];
  readonly places: FieldAt['places'];
}

function instances(field: Field, component: unknown): readonly FieldAt[] {
  const parts = field.path === '' ? [] : field.path.split('.');
  const start: readonly Found[] = [{ at: component, path: [], places: [] }];
  const found = parts.reduce((all, part) => all.flatMap((one) => step(one, part)), start);
  const there = found.flatMap(({ at, path, places }): readonly FieldAt[] => {
    const value = readField(field, at);
    return value === undefined ? [] : [{ field, path: path.join('.'), places, value, multiline: Array.isArray(at) && field.type === 'text' }];
  });
  return field.optional && parts.at(-1) === '*' ? withNewEntries(there) : there;
}

function step({ at, path, places }: Found, part: string): readonly Found[] {
  if (part !== '*') {
    return [{ at: within(at, part), path: [...path, part], places }];
  }
  const items: unknown[] = Array.isArray(at) ? at : [];
  return items.slice(0, MOST_ENTRIES).map((item, index) => ({
    at: item,
    path: [...path, String(index)],
    places: [...places, { index, count: items.length }],
  }));
}

/** Lists whose entries may be absent can grow: behind the last entry there is room for another. */
function withNewEntries(entries: readonly FieldAt[]): readonly FieldAt[] {
  return entries.flatMap((entry) => {
    const place = entry.places.at(-1);
    if (place === undefined || place.index + 1 !== place.count) {
      return [entry];
    }
    const path = [...entry.path.split('.').slice(0, -1), String(place.count)].join('.');
    const places = [...entry.places.slice(0, -1), { index: place.count, count: place.count + 1 }];
    return [entry, { ...entry, path, places, value: { type: 'none' as const }, first: entry.value }];
  });
}

function within(value: unknown, key: string): unknown {
  const items: unknown[] | undefined = Array.isArray(value) ? value : undefined;
  return items === undefined ? readMap(value)?.[key] : items[Number(key)];
}

function fieldOf(row: ComponentField): readonly Field[] {
  const type = TYPES.get(row.type);
  if (type === undefined) {
    return [];
  }
  const { component, field: path, label, help, unit, min, max, infinite, choice, optional, entityKind, kind } = row;
  return [{ component, path, label, help, type, unit, min, max, infinite, choices: choice, optional, entityKind, kinds: kind }];
}

function spoken(path: string): string {
  return path.replaceAll(/[._*]+/g, ' ').trim();
}

function textValue(text: string | undefined): FieldValue | undefined {
  return text === undefined ? undefined : { type: 'text', text };
}

function numbersValue(numbers: readonly number[] | undefined): FieldValue | undefined {
  return numbers === undefined ? undefined : { type: 'numbers', numbers };
}
