/** What the host calls this page, out of the names of all its pages. */

/** The host numbers its pages; of several hosts each has a number as well: `page 2.1`. */
export function ownNameOf(names: readonly string[], clientId: bigint): string | undefined {
  return names.find((name) => new RegExp(` (?:\\d+\\.)?${clientId}$`).test(name));
}

/** The number of this page's host among those with a world of their own; undefined when it has none. */
export function ownGuiOf(ownName: string): number | undefined {
  const number = / (\d+)\.\d+$/.exec(ownName)?.[1];
  return number === undefined ? undefined : Number(number);
}
