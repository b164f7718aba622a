/** What has room beside what. */

export type PanelTab = 'table' | 'timeline' | 'setup';

export interface PanelLayout {
  /** Whether the setup has its own place at the left; else it is a tab. */
  readonly setupBeside: boolean;
  /** Whether table and timeline show together; else they are tabs. */
  readonly together: boolean;
}

/** The setup needs this much besides the table and the buttons, in pixels. */
const WIDE = 960;
/** Both the timeline and some rows of the table fit into this height. */
const TALL = 520;

export function layoutOf(width: number, height: number): PanelLayout {
  return { setupBeside: width >= WIDE, together: height >= TALL };
}

/** The tabs that there are; none when all that they would show shows anyway. */
export function tabsOf({ setupBeside, together }: PanelLayout): readonly PanelTab[] {
  const middle: readonly PanelTab[] = together ? ['table'] : ['table', 'timeline'];
  return setupBeside ? (together ? [] : middle) : [...middle, 'setup'];
}

/** The tab that shows of those that there are. */
export function shownTab(layout: PanelLayout, wanted: PanelTab): PanelTab {
  return tabsOf(layout).includes(wanted) ? wanted : 'table';
}

export function tabLabel(tab: PanelTab, { together }: PanelLayout): string {
  switch (tab) {
    case 'table':
      return together ? 'Motion' : 'Table';
    case 'timeline':
      return 'Timeline';
    case 'setup':
      return 'Setup';
  }
}
