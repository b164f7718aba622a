/** Makes states for tests out of plain values, as the host would encode them. */
import { create } from '@bufbuild/protobuf';
import { encode } from '@msgpack/msgpack';

import { SerializedStateSchema, type SerializedState } from '../protocol/generated/retake/msgs/state_pb';
import { FieldTable, type Field } from './fields';
import type { History } from './history';

/** Components by name; undefined in place of them removes the entity. */
type Entities = Readonly<Record<number, Readonly<Record<string, unknown>> | undefined>>;

export function stateOf(entities: Entities, { full } = { full: true }): SerializedState {
  const types: string[] = [];
  const indexOf = (name: string): number => {
    const known = types.indexOf(name);
    return known >= 0 ? known : types.push(name) - 1;
  };
  const states = Object.entries(entities).map(([id, components]) => ({
    id: BigInt(id),
    removed: components === undefined,
    components: Object.entries(components ?? {}).map(([name, value]) => ({
      typeIndex: indexOf(name),
      value: encode(value),
    })),
  }));
  return create(SerializedStateSchema, { full, entities: states, types: types.map((name) => ({ name })) });
}

/** Makes a history out of ids; in both lists the one that comes next is first. */
export function historyWith(undo: readonly string[], redo: readonly string[] = [], change: Partial<History> = {}): History {
  const entry = (id: string) => ({ id, description: `Do ${id}`, author: 'page 1', simTimeSecs: 1, pending: false });
  const limits = { enabled: true, maxSteps: 200, maxBytes: 512 * 2 ** 20, bytes: 0, dropped: 0 };
  return { undo: undo.map(entry), redo: redo.map(entry), ...limits, ...change };
}

/** Makes a table of fields; what a row does not say is plain. */
export function tableOf(rows: readonly (Pick<Field, 'component' | 'path' | 'type' | 'kinds'> & Partial<Field>)[]): FieldTable {
  const plain = { label: '', help: '', unit: '', min: undefined, max: undefined, infinite: false, choices: [], optional: false, entityKind: '' };
  return new FieldTable(rows.map((row) => ({ ...plain, ...row })));
}
