import { libraryOf, type Library } from '../world/library';
import type { Sender } from './send';

/** Asks which models can be inserted. */
export async function fetchLibrary(sender: Sender): Promise<Library> {
  const { library } = await sender.request({ case: 'library', value: {} });
  return library === undefined ? { models: [], incomplete: undefined } : libraryOf(library);
}
