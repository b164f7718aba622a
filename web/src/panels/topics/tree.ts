/** A message of any type as rows of a tree, of which those that are open have their parts below. */
import { ScalarType } from '@bufbuild/protobuf';

import type { MessageSchema } from '../../world/schema';

/** A message by reflection. */
export type Reflected = ReturnType<MessageSchema['decode']>;
type Field = Reflected['fields'][number];

export interface TreeRow {
  /** Tells rows apart, as in `pose[3].position`. */
  readonly path: string;
  readonly depth: number;
  readonly label: string;
  readonly type: string;
  /** What it is in short. */
  readonly value: string;
  readonly expandable: boolean;
}

/** Elements of a list that are shown; more are only counted. */
export const MOST_ELEMENTS = 200;
/** Rows that are made; who opens more sees no more. */
export const MOST_ROWS = 5_000;
/** Fields of a message that fit into one line. */
const SHORT_FIELDS = 4;

/** Returns the rows of a message from top to bottom. */
export function rowsOf(message: Reflected, open: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  addFields(rows, message, { path: '', depth: 0 }, open);
  return rows;
}

interface Place {
  readonly path: string;
  readonly depth: number;
  /** Name of what is there. */
  readonly label: string;
}

function addFields(rows: TreeRow[], message: Reflected, at: Omit<Place, 'label'>, open: ReadonlySet<string>): void {
  for (const field of message.fields) {
    // Of a oneof only what is set is there.
    if (field.oneof === undefined || message.isSet(field)) {
      addField(rows, message, field, { path: joined(at.path, field.name), depth: at.depth, label: field.name }, open);
    }
  }
}

function addField(rows: TreeRow[], message: Reflected, field: Field, at: Place, open: ReadonlySet<string>): void {
  switch (field.fieldKind) {
    case 'list': {
      const elements = [...message.get(field)];
      const parts = elements.map((value, i) => [`[${i}]`, value] as const);
      addParts(rows, parts, { ...at, type: `${kindOf(field)}[]`, count: `${elements.length} ${elements.length === 1 ? 'element' : 'elements'}` }, field, open);
      break;
    }
    case 'map': {
      const entries = [...message.get(field)].map(([key, value]) => [`[${String(key)}]`, value] as const);
      addParts(rows, entries, { ...at, type: `map of ${kindOf(field)}`, count: `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}` }, field, open);
      break;
    }
    case 'message':
      if (message.isSet(field)) {
        addValue(rows, message.get(field), at, field, open);
      } else {
        rows.push({ ...at, type: kindOf(field), value: 'not set', expandable: false });
      }
      break;
    case 'enum':
    case 'scalar':
      addValue(rows, message.get(field), at, field, open);
  }
}

/** A list or a map: itself, and its elements when it is open. */
function addParts(
  rows: TreeRow[], parts: readonly (readonly [string, unknown])[], at: Place & { type: string; count: string }, field: Field, open: ReadonlySet<string>,
): void {
  const { path, depth, label, type, count } = at;
  rows.push({ path, depth, label, type, value: count, expandable: parts.length > 0 });
  if (!open.has(path)) {
    return;
  }
  for (const [name, value] of parts.slice(0, MOST_ELEMENTS)) {
    if (rows.length >= MOST_ROWS) {
      return;
    }
    addValue(rows, value, { path: `${path}${name}`, depth: depth + 1, label: name }, field, open);
  }
  if (parts.length > MOST_ELEMENTS) {
    rows.push({ path: `${path}…`, depth: depth + 1, label: '…', type: '', value: `and ${parts.length - MOST_ELEMENTS} more`, expandable: false });
  }
}

function addValue(rows: TreeRow[], value: unknown, { path, depth, label }: Place, field: Field, open: ReadonlySet<string>): void {
  if (!isReflected(value)) {
    rows.push({ path, depth, label, type: kindOf(field), value: valueText(value, field), expandable: false });
    return;
  }
  rows.push({ path, depth, label, type: kindOf(field), value: summaryOf(value), expandable: value.fields.length > 0 });
  if (open.has(path)) {
    addFields(rows, value, { path, depth: depth + 1 }, open);
  }
}

function isReflected(value: unknown): value is Reflected {
  return typeof value === 'object' && value !== null && 'desc' in value && 'fields' in value;
}

/** A message in one line: its name if it has one, or its few numbers. */
function summaryOf(message: Reflected): string {
  const name = message.fields.find((field) => field.name === 'name' && field.fieldKind === 'scalar');
  const plain = message.fields.filter(({ fieldKind }) => fieldKind === 'scalar' || fieldKind === 'enum');
  const shown = name !== undefined && message.isSet(name) ? [name] : plain.length === message.fields.length ? plain.slice(0, SHORT_FIELDS) : [];
  return shown.map((field) => `${field.name} ${valueText(message.get(field), field)}`).join('  ');
}

function valueText(value: unknown, field: Field): string {
  switch (typeof value) {
    case 'number':
      return enumName(value, field) ?? numberText(value, field);
    case 'string':
      return JSON.stringify(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return value instanceof Uint8Array ? `${value.length} bytes` : '';
  }
}

function numberText(value: number, field: Field): string {
  const float = 'scalar' in field && field.scalar === ScalarType.FLOAT;
  // More digits of a float than it has would be made up.
  return String(float ? Number(value.toPrecision(7)) : value);
}

function enumName(value: number, field: Field): string | undefined {
  const values = 'enum' in field ? field.enum?.values : undefined;
  return values?.find(({ number }) => number === value)?.name;
}

function kindOf(field: Field): string {
  const named = ('message' in field ? field.message?.name : undefined) ?? ('enum' in field ? field.enum?.name : undefined);
  return named ?? ('scalar' in field && field.scalar !== undefined ? ScalarType[field.scalar].toLowerCase() : '');
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
