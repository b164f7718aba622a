/** What can be done with branches and bookmarks. */
import type { MenuGroups } from '../../ui/menu';

export type LaneAction = 'look' | 'switch' | 'compare' | 'rename' | 'delete';
export type FlagAction = 'look' | 'resume' | 'rename' | 'delete';

/** What can be done with a branch; `blocked` says why nothing of it can be changed. */
export function laneMenu(going: boolean, others: boolean, blocked?: string): MenuGroups<LaneAction> {
  const free = blocked === undefined;
  return [
    [
      { label: 'Look at its end', action: 'look', enabled: !going, icon: 'visual' },
      { label: 'Switch to it', action: 'switch', enabled: free && !going, reason: blocked, icon: 'step' },
      { label: 'Compare in a plot…', action: 'compare', enabled: free && others, reason: blocked, icon: 'chart' },
    ],
    [
      { label: 'Rename…', action: 'rename', enabled: free, reason: blocked, icon: 'pencil' },
      { label: 'Delete…', action: 'delete', enabled: free && !going, reason: blocked, icon: 'trash' },
    ],
  ];
}

/** What can be done with a bookmark; `blocked` says why nothing of it can be changed. */
export function flagMenu(blocked?: string): MenuGroups<FlagAction> {
  const free = blocked === undefined;
  return [
    [
      { label: 'Look at it', action: 'look', enabled: true, icon: 'visual' },
      { label: 'Resume from it', action: 'resume', enabled: free, reason: blocked, icon: 'step' },
    ],
    [
      { label: 'Rename…', action: 'rename', enabled: free, reason: blocked, icon: 'pencil' },
      { label: 'Delete…', action: 'delete', enabled: free, reason: blocked, icon: 'trash' },
    ],
  ];
}
