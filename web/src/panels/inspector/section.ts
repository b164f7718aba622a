/** Sections and rows: all that the view has to know. */
import type { Pose } from '../../lib/pose';
import type { Color } from '../../world/components';
import type { Entity, EntityId } from '../../world/entity';
import type { Field, FieldTable } from '../../world/fields';
import type { FieldValue } from '../../world/fieldValue';
import type { World } from '../../world/world';

/** A field that a person can edit. */
export interface EditorRow {
  readonly kind: 'editor';
  /** Names the field of the entity. */
  readonly key: string;
  readonly entity: EntityId;
  readonly label: string;
  /** What screen readers say. */
  readonly name: string;
  readonly field: Field;
  /** Where in the component. */
  readonly path: string;
  readonly unit: string;
  /** What the world says. */
  readonly mirror: FieldValue;
  /** What it begins with when it is not there yet, if that is known. */
  readonly first: FieldValue | undefined;
  readonly multiline: boolean;
  /** Of an entity: what can be chosen. */
  readonly options: readonly Option[];
}

export interface Option {
  readonly id: EntityId;
  readonly name: string;
}

export type Row = EditorRow | ReadRow;

export type ReadRow = { readonly label: string; readonly copy?: string } & (
  | { readonly kind: 'vector'; readonly unit: string; readonly parts: readonly Part[] }
  | { readonly kind: 'number'; readonly text: string; readonly unit: string; readonly hint?: string }
  | { readonly kind: 'range'; readonly text: string; readonly unit: string; readonly hint?: string; readonly range: Range }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'flag'; readonly on: boolean }
  | { readonly kind: 'color'; readonly color: Color }
  | { readonly kind: 'entity'; readonly id: EntityId; readonly name: string }
  | { readonly kind: 'tree'; readonly value: unknown }
);

/** One number of a vector. `name` is what people see, `label` what screen readers say. */
export interface Part {
  readonly name: string;
  readonly label: string;
  readonly text: string;
  readonly hint?: string;
}

/** Where a joint stands between its limits. */
export interface Range {
  readonly lower: string;
  readonly upper: string;
  /** From 0 at the lower to 1 at the upper limit. */
  readonly fraction: number;
}

export interface Section {
  readonly key: string;
  readonly title: string;
  readonly rows: readonly Row[];
  /** Closed until a person opens it. */
  readonly folded?: boolean;
}

export interface Subject {
  readonly entity: Entity;
  readonly world: World;
  readonly worldPose: Pose;
  readonly table: FieldTable;
}

/** Says whether a section is one row that says its title itself, so that a heading would say it twice. */
export function isBare({ title, rows, folded }: Section): boolean {
  const [only] = rows;
  return folded !== true && rows.length === 1 && only?.label.toLowerCase() === title.toLowerCase();
}
