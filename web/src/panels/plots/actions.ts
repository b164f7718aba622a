/** What can be asked for in the panel, by menus, buttons and keys. */
import type { PlotTab } from '../../world/plotLayout';
import type { SaveAction } from './saving';

/** About all plots of a tab. */
export type BoardAction = SaveAction | 'follow' | 'link' | 'measure' | 'add' | 'keep' | 'runs' | 'clear';

/** About one plot; the runs to compare with are named by their ids. */
export type PlotAction = SaveAction | 'settings' | 'up' | 'down' | 'remove' | 'fit' | `compare ${string}` | `difference ${string}`;

export type CurveAction = 'edit' | 'only' | 'toggle' | 'axis' | 'remove';

/** The dialog that is open, and what it is about. */
export type OpenDialog =
  | { readonly kind: 'plot' | 'curve'; readonly id: string }
  | { readonly kind: 'derived'; readonly name: string | undefined }
  | { readonly kind: 'runs' | 'keep' | 'clear' }
  | { readonly kind: 'close'; readonly tab: PlotTab };
