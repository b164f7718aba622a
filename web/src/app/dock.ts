/** Which tab of the dock shows. */

export const DOCK_TABS = [
  { id: 'messages', label: 'Messages' },
  { id: 'history', label: 'History' },
] as const;

export type DockTab = (typeof DOCK_TABS)[number]['id'];

export interface DockState {
  readonly open: boolean;
  /** The one that shows, or did before the dock was closed. */
  readonly tab: DockTab;
}

/** Reads what an earlier visit left. */
export function dockFrom(kept: string | undefined): DockState {
  const [state, tab] = (kept ?? '').split(' ');
  return { open: state === 'open', tab: DOCK_TABS.find(({ id }) => id === tab)?.id ?? 'messages' };
}

/** Writes what the next visit reads. */
export function dockText({ open, tab }: DockState): string {
  return `${open ? 'open' : 'closed'} ${tab}`;
}

/** Shows a tab, or closes the dock when it shows already. */
export function toggled(dock: DockState, tab: DockTab): DockState {
  return { open: !(dock.open && dock.tab === tab), tab };
}
