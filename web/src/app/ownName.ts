/** What the host calls this page, out of the names of all its pages. */

/** The host numbers its pages; of several hosts each has a number as well: `page 2.1`. */
export function ownNameOf(names: readonly string[], clientId: bigint): string | undefined {
  return names.find((name) => new RegExp(` (?:\\d+\\.)?${clientId}$`).test(name));
}
