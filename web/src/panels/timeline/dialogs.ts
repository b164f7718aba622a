/** What the timeline asks before it does something. */
import type { NamedKind } from '../../commands/editTimeline';

export type Question =
  | { readonly ask: 'fork' | 'bookmark' | 'limits' }
  | { readonly ask: 'compare'; readonly branch: string }
  | { readonly ask: 'rename' | 'delete'; readonly kind: NamedKind; readonly name: string };
