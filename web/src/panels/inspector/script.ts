/** What a script is, remembers, shows and drives. */
import { readMap, readNumbers } from '../../world/components';
import type { Subject, Row } from './section';
import { numberRow, textRow } from './rows';

type Fields = Readonly<Record<string, unknown>>;

/** Where its text comes from, and what is wrong with it. */
export function sourceRows(source: Fields): Row[] {
  const reloads = source['reloads'];
  return [
    ...textRow('File', source['uri'] ?? source['path']),
    ...textRow('Fault', source['fault']),
    ...(reloads === 0 ? [] : numberRow('Reloads', reloads)),
    ...textRow('Text', source['text']),
  ];
}

/** All that lasts from step to step; where its random numbers are is of no use to anybody. */
export function stateRows(memory: Fields, rowsOf: (name: string, value: unknown) => readonly Row[]): Row[] {
  return Object.entries(readMap(memory['state']) ?? {}).flatMap(([name, value]) => rowsOf(name, value));
}

/** Numbers that it shows to whoever watches, with their names. */
export function itemRows(value: unknown, { entity }: Subject): readonly Row[] | undefined {
  const names = entity.component('script_item_names');
  const numbers = readNumbers(value);
  return numbers?.flatMap((number, at) => numberRow(String(Array.isArray(names) ? (names[at] ?? at) : at), number));
}

/** Joints that it has in hand. */
export function driveRows(value: unknown, { world }: Subject): readonly Row[] | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  return value.flatMap((drive: unknown, at): readonly Row[] => {
    const [id] = readNumbers(drive) ?? [];
    const joint = id === undefined ? undefined : world.entity(id);
    return joint === undefined ? [] : [{ kind: 'entity', label: `Joint ${at + 1}`, id: joint.id, name: joint.name }];
  });
}
