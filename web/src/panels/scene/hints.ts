/** What the tool in hand waits for. */
import type { Tool } from './tools.svelte';

export interface Progress {
  /** How many selected things can be moved. */
  readonly selected: number;
  /** Whether the first place of a snap is chosen. */
  readonly snapping: boolean;
  /** What is in hand to be placed. */
  readonly placing: string | undefined;
}

/** Returns what to do next; undefined when the tool shows it by itself. */
export function hintOf(tool: Tool, { selected, snapping, placing }: Progress): string | undefined {
  if (placing !== undefined) {
    return `Click where the ${placing} goes`;
  }
  switch (tool) {
    case 'translate':
    case 'rotate':
    case 'scale':
      return selected === 0 ? `Click what you want to ${tool}` : undefined;
    case 'snap':
      return snapping ? 'Click the place that it goes to' : 'Click a place on what is to move';
    case 'select':
    case 'align':
    case 'measure':
      return undefined;
  }
}
