/** Files that the host makes of plots: pictures, samples, and the layout itself. */
import type { MenuGroups, MenuItem } from '../../ui/menu';
import type { Range } from './view';

export type PictureFormat = 'png' | 'svg' | 'pdf';
export type DataFormat = 'csv' | 'parquet';

export type SaveAction =
  | `picture-${PictureFormat}`
  | `tab-${PictureFormat}`
  | `seen-${DataFormat}`
  | `all-${DataFormat}`
  | 'layout' | 'load';

/** What is to be saved, as far as an address needs it. */
export interface Saved {
  readonly plotId: string;
  readonly tabId: string;
  /** What is in view, in seconds. */
  readonly time: Range;
  readonly width: number;
  readonly height: number;
  readonly theme: 'dark' | 'light';
}

const PICTURES: readonly PictureFormat[] = ['png', 'svg', 'pdf'];

/** What can be saved of one plot. */
export function plotSaves(hasCurves: boolean): MenuGroups<SaveAction> {
  return [
    PICTURES.map((format) => item(`picture-${format}`, `Picture (${format.toUpperCase()})`, hasCurves)),
    [
      item('seen-csv', 'Data in view (CSV)', hasCurves),
      item('seen-parquet', 'Data in view (Parquet)', hasCurves),
      item('all-csv', 'All data (CSV)', hasCurves),
      item('all-parquet', 'All data (Parquet)', hasCurves),
    ],
  ];
}

/** What can be saved of a tab and of all plots, besides. */
export function boardSaves(hasPlots: boolean): MenuGroups<SaveAction> {
  return [
    PICTURES.map((format) => item(`tab-${format}`, `Whole tab (${format.toUpperCase()})`, hasPlots)),
    [item('layout', 'Layout to file', true), item('load', 'Load layout…', true)],
  ];
}

/** Returns where the host has the file; undefined for what is no file. */
export function addressOf(action: SaveAction, { plotId, tabId, time, width, height, theme }: Saved): string | undefined {
  const [what = '', format = ''] = action.split('-');
  const range = `from=${time.min}&to=${time.max}`;
  const look = `width=${Math.round(width)}&height=${Math.round(height)}&theme=${theme}`;
  switch (what) {
    case 'picture':
      return `/plots/${encodeURIComponent(plotId)}/picture.${format}?${range}&${look}`;
    case 'tab':
      return `/plots/tab/${encodeURIComponent(tabId)}/picture.${format}?${range}&${look}`;
    case 'seen':
      return `/plots/${encodeURIComponent(plotId)}/data.${format}?${range}`;
    case 'all':
      return `/plots/${encodeURIComponent(plotId)}/data.${format}`;
    case 'layout':
      return '/plots/layout.json';
    default:
      return undefined;
  }
}

/** Makes a name for a file of a title; what file systems do not like becomes a line. */
export function fileName(title: string, action: SaveAction): string {
  const [what = '', format = 'json'] = action.split('-');
  const stem = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/gu, '').slice(0, 80);
  return `${what === 'layout' ? 'plots' : stem === '' ? 'plot' : stem}.${format}`;
}

/**
 * Fetches a file of the host and gives it to the person.
 *
 * @throws Error with the sentence of the host when it refuses.
 */
export async function download(address: string, name: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) {
    const text = await response.text();
    throw new Error(text.trim() === '' ? `The host did not make ${name}: ${response.status} ${response.statusText}` : text.trim());
  }
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the file over once it has begun to save it.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}

function item(action: SaveAction, label: string, enabled: boolean): MenuItem<SaveAction> {
  return { action, label, enabled };
}
