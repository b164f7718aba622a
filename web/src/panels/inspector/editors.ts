/** Rows that can be edited, out of the table of fields, and what of a component no row edits. */
import { readMap } from '../../world/components';
import type { Entity, EntityId } from '../../world/entity';
import { fieldsIn, type Field, type FieldAt, type FieldType } from '../../world/fields';
import type { FieldValue } from '../../world/fieldValue';
import type { World } from '../../world/world';
import { fieldRows } from './describers';
import { editKey } from './edits';
import type { EditorRow, Option, Row, Subject } from './section';
import { firstValue } from './values';

/** More entities than this are no list to choose from. */
const MOST_OPTIONS = 500;

/** Returns the editors of a component, in the order of the table; none when nobody may edit it. */
export function editorRows({ entity, world, table }: Subject, component: string): readonly EditorRow[] {
  const fields = table.of(entity.kind, component);
  return fieldsIn(fields, entity.component(component)).map((at): EditorRow => {
    const { field, path, value } = at;
    return {
      kind: 'editor',
      key: editKey(entity.id, component, path),
      entity: entity.id,
      label: labelOf(at),
      name: table.spokenName(at),
      field,
      path,
      unit: unitOf(field.unit, entity),
      mirror: value,
      first: at.first,
      multiline: at.multiline,
      options: field.type === 'entity' ? optionsFor(world, entity, field, value.type === 'entity' ? value.entity : undefined) : [],
    };
  });
}

/** Returns what a component says beyond its editors, for reading. */
export function leftoverRows(value: unknown, editors: readonly EditorRow[]): readonly Row[] {
  const covered = new Map(editors.map(({ path, field }) => [path, field.type]));
  return leftovers(value, '', covered).flatMap(([path, rest]) => fieldRows(path.replaceAll('.', ' '), rest, ''));
}

/** A component that an entity may have and has not, with the field that brings it. */
export interface Addable {
  readonly component: string;
  readonly path: string;
  readonly value: FieldValue;
}

/** Returns what can be added to an entity; only plain values begin something. */
export function addableComponents({ entity, table }: Pick<Subject, 'entity' | 'table'>): readonly Addable[] {
  const has = new Set(entity.componentNames());
  return table
    .components(entity.kind)
    .filter((component) => !has.has(component))
    .flatMap((component) => {
      const field = table.of(entity.kind, component).find(({ type, path }) => type !== 'entity' && !path.includes('*'));
      return field === undefined ? [] : [{ component, path: field.path, value: firstValue({ field, options: [], first: undefined }) }];
    });
}

/** Of a joint's axis, the unit goes by whether it turns or slides. */
export function unitOf(unit: string, entity: Entity): string {
  const [turning = '', sliding = turning] = unit.split('|');
  const kind = readMap(entity.component('joint'))?.['kind'];
  return kind === 'prismatic' ? sliding : turning;
}

/** Entities to choose from: those of the same model, or of the whole world; nothing inside of itself. */
export function optionsFor(world: World, entity: Entity, field: Field, current: EntityId | undefined): readonly Option[] {
  const kinds = field.entityKind === '' ? undefined : field.entityKind.split('|');
  const anywhere = field.component === 'parent';
  const model = anywhere ? undefined : world.lineage(entity.id).find((above) => above.kind === 'model');
  const scope = model === undefined ? [...world.entities()] : world.subtree(model.id);
  const own = new Set(anywhere ? world.subtree(entity.id) : [entity]);
  const fitting = scope.filter((other) => (kinds?.includes(other.kind) ?? true) && !own.has(other)).slice(0, MOST_OPTIONS);
  const chosen = current === undefined ? undefined : world.entity(current);
  const all = chosen === undefined || fitting.includes(chosen) ? fitting : [chosen, ...fitting];
  return all.map((other) => ({ id: other.id, name: pathWithin(world, other, model) }));
}

function pathWithin(world: World, entity: Entity, model: Entity | undefined): string {
  if (entity.kind === 'world') {
    return `${entity.name} (world)`;
  }
  const path = world.lineage(entity.id).filter((above) => above.kind !== 'world');
  const from = model === undefined ? -1 : path.findIndex((above) => above.id === model.id);
  return path.slice(from + 1).map(({ name }) => name).join('::');
}

/** A field of a list is told from its neighbours by its place. */
function labelOf({ field, places }: FieldAt): string {
  const many = places.filter(({ count }) => count > 1).map(({ index }) => String(index + 1));
  return [field.label, ...many].join(' ');
}

/** Paths that have an editor, with its type. */
type Covered = ReadonlyMap<string, FieldType>;

/** Values at paths that no editor covers, as deep as it takes. */
function leftovers(value: unknown, path: string, covered: Covered): readonly (readonly [string, unknown])[] {
  const type = covered.get(path);
  if (type !== undefined) {
    // A choice stands for the kind of the value alone, a flag for its being there; what is inside
    // is another matter.
    return type === 'choice' || type === 'flag' ? inside(value, path, covered) : [];
  }
  if (![...covered.keys()].some((other) => below(other, path))) {
    return value === null || value === undefined || path === '' ? [] : [[path, value]];
  }
  return inside(value, path, covered);
}

function inside(value: unknown, path: string, covered: Covered): readonly (readonly [string, unknown])[] {
  const entries: [string, unknown][] = isNested(value) ? Object.entries(value) : [];
  return entries.flatMap(([key, item]) => leftovers(item, path === '' ? key : `${path}.${key}`, covered));
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}

function below(path: string, above: string): boolean {
  return above === '' ? path !== '' : path.startsWith(`${above}.`);
}
