/** The tree of signals as far as it has been opened, row by row. */
import type { IconName } from '../../ui/icons';
import type { SignalNode } from '../../world/plotFrame';
import type { PickedSignal } from './edits';
import type { SignalList } from './host';

/** What is known of the tree. The branch of the empty id has the groups. */
export interface SignalTree {
  readonly branches: ReadonlyMap<string, SignalList>;
  readonly expanded: ReadonlySet<string>;
}

interface RowBase {
  readonly key: string;
  readonly level: number;
  readonly label: string;
}

export type SignalRow =
  | (RowBase & {
    readonly kind: 'node';
    readonly node: SignalNode;
    readonly expanded: boolean;
    readonly position: number;
    readonly siblings: number;
  })
  /** What is not in the tree: branches that are asked for, empty ones, and those too long. */
  | (RowBase & { readonly kind: 'note' });

/** Data that a dragged signal carries. */
export const SIGNAL_TYPE = 'application/x-retake-signals';

const ICONS: Readonly<Record<string, IconName>> = {
  Topics: 'sensor',
  Models: 'model',
  Simulation: 'world',
  Programs: 'plugin',
  Derived: 'function',
  Runs: 'history',
};

export function iconOfGroup(label: string): IconName {
  return ICONS[label] ?? 'frame';
}

export function visibleRows(tree: SignalTree): readonly SignalRow[] {
  return rowsBelow(tree, '', 1);
}

/** Rows of what a search found; what it found can be opened too. */
export function foundRows(found: SignalList, tree: SignalTree): readonly SignalRow[] {
  return visibleRows({ ...tree, branches: new Map([...tree.branches, ['', found]]) });
}

/** Returns what is shown below a node: arrays of topics are known only while messages come, so they stay. */
export function newestOf(id: string, known: SignalList | undefined, answer: SignalList): SignalList {
  return id.startsWith('topics/') && answer.node.length === 0 && known !== undefined ? known : answer;
}

/** The open branches that can be seen, which are worth asking for anew. */
export function openBranches(tree: SignalTree): readonly string[] {
  const open = visibleRows(tree).flatMap((row) => (row.kind === 'node' && row.expanded ? [row.node.id] : []));
  return ['', ...open];
}

/** Returns all signals of rows, in their order and each once. */
export function signalsOf(rows: readonly SignalRow[], keys: ReadonlySet<string>): readonly PickedSignal[] {
  const picked = rows.flatMap((row) => (row.kind === 'node' && keys.has(row.key) ? pickedOf(row.node) : []));
  return picked.filter((one, at) => picked.findIndex(({ signal, run }) => signal === one.signal && run === one.run) === at);
}

/** Writes what is dragged, and reads it where it is dropped. */
export function draggedText(signals: readonly PickedSignal[]): string {
  return JSON.stringify(signals);
}

export function droppedSignals(text: string): readonly PickedSignal[] {
  return text === '' ? [] : (JSON.parse(text) as readonly PickedSignal[]);
}

/** Signals of a run are named as live ones are; the id of their node tells the run. */
function pickedOf({ id, signal }: SignalNode): readonly PickedSignal[] {
  const run = /^runs\/([^/]+)\//u.exec(id)?.[1] ?? '';
  return signal.map((name) => ({ signal: name, run }));
}

/** Returns the rows from one to another, both included. */
export function rowsBetween(rows: readonly SignalRow[], from: string, to: string): ReadonlySet<string> {
  const [first, last] = [from, to].map((key) => rows.findIndex((row) => row.key === key)).sort((a, b) => a - b);
  return new Set(first === undefined || last === undefined || first < 0 ? [to] : rows.slice(first, last + 1).map(({ key }) => key));
}

export type SignalAction =
  | { readonly kind: 'move'; readonly to: string }
  | { readonly kind: 'expand' | 'collapse'; readonly id: string }
  | { readonly kind: 'add' };

/** Says what a key does in the tree. */
export function actionOfKey(rows: readonly SignalRow[], current: string | undefined, key: string): SignalAction | undefined {
  const at = rows.findIndex((row) => row.key === current);
  const row = rows[at];
  const move = (to: number): SignalAction | undefined => {
    const target = rows[Math.max(0, Math.min(rows.length - 1, to))];
    return target === undefined ? undefined : { kind: 'move', to: target.key };
  };
  switch (key) {
    case 'ArrowDown':
      return move(at + 1);
    case 'ArrowUp':
      return move(at < 0 ? 0 : at - 1);
    case 'Home':
      return move(0);
    case 'End':
      return move(rows.length - 1);
    case 'ArrowRight':
      return row?.kind !== 'node' || !row.node.expandable ? undefined : row.expanded ? move(at + 1) : { kind: 'expand', id: row.node.id };
    case 'ArrowLeft':
      return row?.kind === 'node' && row.expanded ? { kind: 'collapse', id: row.node.id } : move(parentOf(rows, at));
    case 'Enter':
      return row?.kind !== 'node' ? undefined
        : row.node.signal.length > 0 ? { kind: 'add' }
        : row.node.expandable ? { kind: row.expanded ? 'collapse' : 'expand', id: row.node.id } : undefined;
    default:
      return undefined;
  }
}

function parentOf(rows: readonly SignalRow[], at: number): number {
  const level = rows[at]?.level ?? 1;
  const parent = rows.slice(0, Math.max(0, at)).findLastIndex((row) => row.level < level);
  return parent < 0 ? at : parent;
}

function rowsBelow(tree: SignalTree, id: string, level: number): readonly SignalRow[] {
  const branch = tree.branches.get(id);
  if (branch === undefined) {
    return [note(id, level, 'Loading…')];
  }
  if (branch.node.length === 0) {
    return [note(id, level, level === 1 ? 'No signals yet' : 'Nothing here now')];
  }
  const rows = nodeRows(branch.node, level).flatMap((row) => {
    const open = row.node.expandable && tree.expanded.has(row.node.id);
    return open ? [{ ...row, expanded: true }, ...rowsBelow(tree, row.node.id, level + 1)] : [row];
  });
  return [...rows, ...moreRow(id, branch.leftOut, level)];
}

type NodeRow = Extract<SignalRow, { kind: 'node' }>;

function nodeRows(nodes: readonly SignalNode[], level: number): readonly NodeRow[] {
  return nodes.map((node, index) => ({
    kind: 'node', key: node.id, level, label: node.label, node, expanded: false, position: index + 1, siblings: nodes.length,
  }));
}

function moreRow(id: string, leftOut: number, level: number): readonly SignalRow[] {
  return leftOut === 0 ? [] : [{ ...note(id, level, `and ${leftOut} more; search for them`), key: `more ${id}` }];
}

function note(id: string, level: number, label: string): SignalRow {
  return { kind: 'note', key: `note ${id}`, level, label };
}
