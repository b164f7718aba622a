/** The models that the server finds under its resource folders. */
import type { ModelLibrary } from '../protocol/generated/retake/msgs/library_pb';

export interface LibraryModel {
  /** What an include calls it. */
  readonly uri: string;
  readonly name: string;
  /** May be empty. */
  readonly description: string;
  readonly authors: readonly string[];
  /** May be empty. */
  readonly version: string;
  /** The folder that it comes from, for people. */
  readonly source: string;
  /** Why it cannot be inserted; undefined when it can. */
  readonly problem: string | undefined;
}

export interface Library {
  readonly models: readonly LibraryModel[];
  /** Why some are not listed; undefined when all are. */
  readonly incomplete: string | undefined;
}

export function libraryOf({ model, incomplete }: ModelLibrary): Library {
  const models = model.map(({ uri, name, description, author, version, source, problem }) => ({
    uri, name, description, authors: author, version, source, problem: problem === '' ? undefined : problem,
  }));
  return { models, incomplete: incomplete === '' ? undefined : incomplete };
}
