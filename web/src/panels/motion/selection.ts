/** Which waypoints are selected, and what clicks and keys make of that. */

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Where a range begins. */
  readonly anchor: string | undefined;
  /** Where the keys go on from; its row can be edited. */
  readonly current: string | undefined;
}

export const NOTHING: Selection = { ids: new Set(), anchor: undefined, current: undefined };

/** `order` below is that of the rows. */
type Order = readonly string[];

export function only(id: string): Selection {
  return { ids: new Set([id]), anchor: id, current: id };
}

/** Takes what somebody else selected, as a box in the timeline. */
export function these(ids: ReadonlySet<string>, order: Order): Selection {
  const last = order.findLast((id) => ids.has(id));
  return { ids, anchor: last, current: last };
}

/** Takes what was just made, in the order of time. */
export function madeNow(ids: readonly string[]): Selection {
  return these(new Set(ids), ids);
}

export function clicked(selection: Selection, order: Order, id: string, keys: { readonly ctrl: boolean; readonly shift: boolean }): Selection {
  if (keys.shift) {
    return { ...ranged(selection, order, id), current: id };
  }
  if (!keys.ctrl) {
    return only(id);
  }
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) {
    ids.add(id);
  }
  return { ids, anchor: id, current: ids.has(id) ? id : [...ids].at(-1) };
}

/** Goes up or down by a key, taking along what lies between while Shift is held; undefined for other keys. */
export function moved(selection: Selection, order: Order, key: string, shift: boolean): Selection | undefined {
  const at = selection.current === undefined ? -1 : order.indexOf(selection.current);
  const to = targetOf(key, at, order.length);
  const id = to === undefined ? undefined : order[to];
  if (id === undefined) {
    return undefined;
  }
  return shift ? { ...ranged(selection, order, id), current: id } : only(id);
}

/**
 * Forgets waypoints that are gone; the row after the current one takes its place. What was selected
 * before it came, as a waypoint that was just made, stays.
 */
export function kept(selection: Selection, before: Order, order: Order): Selection {
  const here = new Set(order);
  const gone = new Set(before.filter((id) => !here.has(id)));
  const has = (id: string | undefined): string | undefined => (id === undefined || gone.has(id) ? undefined : id);
  const ids = new Set([...selection.ids].filter((id) => !gone.has(id)));
  const current = has(selection.current);
  if (selection.current !== undefined && current === undefined && ids.size === 0) {
    const at = before.indexOf(selection.current);
    const next = [...before.slice(at + 1), ...before.slice(0, at).reverse()].find((id) => here.has(id));
    return next === undefined ? NOTHING : only(next);
  }
  return { ids, current: current ?? [...ids].at(-1), anchor: has(selection.anchor) };
}

/** The selected ids in the order of the rows. */
export function inOrder(selection: Selection, order: Order): readonly string[] {
  return order.filter((id) => selection.ids.has(id));
}

function ranged(selection: Selection, order: Order, to: string): Pick<Selection, 'ids' | 'anchor'> {
  const anchor = selection.anchor !== undefined && order.includes(selection.anchor) ? selection.anchor : to;
  const [from, until] = [order.indexOf(anchor), order.indexOf(to)].sort((a, b) => a - b) as [number, number];
  return { ids: new Set(order.slice(from, until + 1)), anchor };
}

function targetOf(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, count - 1);
    case 'ArrowUp':
      return at < 0 ? count - 1 : Math.max(at - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
