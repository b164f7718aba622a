/** Which tab of the dock shows, and whether it has all the room. */

export const DOCK_TABS = [
  { id: 'plots', label: 'Plots', icon: 'chart' },
  { id: 'motion', label: 'Motion', icon: 'joint' },
  { id: 'physics', label: 'Physics', icon: 'settings' },
  { id: 'history', label: 'History', icon: 'history' },
  { id: 'messages', label: 'Messages', icon: 'messages' },
  { id: 'topics', label: 'Topics', icon: 'sensor' },
] as const;

export type DockTab = (typeof DOCK_TABS)[number]['id'];

export interface DockState {
  readonly open: boolean;
  /** The one that shows, or did before the dock was closed. */
  readonly tab: DockTab;
  /** Whether it covers everything between the bars. */
  readonly large: boolean;
}

/** Reads what an earlier visit left. */
export function dockFrom(kept: string | undefined): DockState {
  const [state, tab, size] = (kept ?? '').split(' ');
  return { open: state === 'open', tab: DOCK_TABS.find(({ id }) => id === tab)?.id ?? 'messages', large: size === 'large' };
}

/** Writes what the next visit reads. */
export function dockText({ open, tab, large }: DockState): string {
  return `${open ? 'open' : 'closed'} ${tab}${large ? ' large' : ''}`;
}

/** Shows a tab, or closes the dock when it shows already. */
export function toggled(dock: DockState, tab: DockTab): DockState {
  return { ...dock, open: !(dock.open && dock.tab === tab), tab };
}

/** Reads the tab out of an action that shows it. */
export function tabShownBy(action: `show-${DockTab}`): DockTab {
  return action.slice('show-'.length) as DockTab;
}
