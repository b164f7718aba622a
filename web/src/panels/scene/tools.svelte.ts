/** Which tool is in hand, and how it works. All of it is of this page alone. */
import { recall, remember } from '../../lib/storage';
import type { Steps } from './transform/drag';

export const TOOLS = ['select', 'translate', 'rotate', 'scale', 'snap', 'align', 'measure'] as const;
export type Tool = (typeof TOOLS)[number];

export const DEFAULT_STEPS: Steps = { metres: 0.1, degrees: 15, factor: 0.1 };

export class Tools {
  tool: Tool = $state('select');
  /** Whether handles stand along the axes of the thing instead of those of the world. */
  local = $state(false);
  /** Whether drags go in steps; Ctrl turns it round while it is held. */
  stepping = $state(false);
  steps: Steps = $state.raw(DEFAULT_STEPS);

  constructor() {
    const kept = readOptions(recall('tools'));
    this.local = kept.local;
    this.stepping = kept.stepping;
    this.steps = kept.steps;
  }

  /** Takes a tool in hand; the one that is in hand is put away. */
  take(tool: Tool): void {
    this.tool = this.tool === tool ? 'select' : tool;
  }

  use(options: Partial<Pick<Tools, 'local' | 'stepping' | 'steps'>>): void {
    Object.assign(this, options);
    const { local, stepping, steps } = this;
    remember('tools', JSON.stringify({ local, stepping, steps }));
  }
}

interface Options {
  readonly local: boolean;
  readonly stepping: boolean;
  readonly steps: Steps;
}

/** Reads what was remembered; what is no option of today is left out. */
export function readOptions(text: string | undefined): Options {
  const kept = parsed(text);
  const steps = typeof kept['steps'] === 'object' && kept['steps'] !== null ? (kept['steps'] as Record<string, unknown>) : {};
  const step = (name: keyof Steps): number => {
    const value = steps[name];
    return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : DEFAULT_STEPS[name];
  };
  return {
    local: kept['local'] === true,
    stepping: kept['stepping'] === true,
    steps: { metres: step('metres'), degrees: step('degrees'), factor: step('factor') },
  };
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
