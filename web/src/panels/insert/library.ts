/** What the picker of library models shows, and how keys go through it. */
import type { LibraryModel } from '../../world/library';

/** Returns the models that have all words of the query; those whose name begins with it first. */
export function matching(models: readonly LibraryModel[], query: string): readonly LibraryModel[] {
  const words = query.toLowerCase().split(/\s+/u).filter((word) => word !== '');
  const fits = ({ name, description, uri, source, authors }: LibraryModel): boolean => {
    const text = [name, description, uri, source, ...authors].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const rank = ({ name, problem }: LibraryModel): number => {
    const first = words[0];
    return (problem === undefined ? 0 : 2) + (first === undefined || name.toLowerCase().startsWith(first) ? 0 : 1);
  };
  return models.filter(fits).toSorted((a, b) => rank(a) - rank(b));
}

/** Rows that a page key goes over. */
const PAGE = 6;

/** Returns the row that a key goes to; undefined when it is no such key. */
export function rowAfter(key: string, at: number, count: number): number | undefined {
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + PAGE, PageUp: at - PAGE, Home: 0, End: count - 1 }[key];
  return to === undefined || count === 0 ? undefined : Math.min(Math.max(to, 0), count - 1);
}

/** Says in one line where a model comes from. */
export function originOf({ uri, authors, version }: LibraryModel): string {
  const by = authors.length === 0 ? [] : [`by ${authors.join(', ')}`];
  return [uri, ...(version === '' ? [] : [`version ${version}`]), ...by].join(' · ');
}

/** Counts what is shown. */
export function countOf(shown: number, all: number): string {
  const models = (count: number): string => (count === 1 ? '1 model' : `${count} models`);
  return shown === all ? models(all) : `${shown} of ${models(all)}`;
}
