/** Why a page cannot do something now. The host asks for the same roles; this is so that nobody tries in vain. */
import { needOf, type Action } from './shortcuts';

/** What keeps it from that. */
export interface Blocks {
  readonly recording: boolean;
  readonly live: boolean;
  /** As the host has it; empty where there are no roles. */
  readonly role: string;
  readonly past: boolean;
}

/** Returns why the world cannot be changed, for people; undefined when it can. */
export function whyBlocked({ recording, live, role, past }: Blocks): string | undefined {
  if (recording) {
    return 'A recording cannot be edited';
  }
  const reason = whyUncontrolled({ live, role });
  return reason ?? (past ? 'The past cannot be edited. Resume from here, or go back to live (Esc)' : undefined);
}

/** Returns why the clock cannot be run and stopped, of a world or of a log; undefined when it can. */
export function whyUncontrolled({ live, role }: Pick<Blocks, 'live' | 'role'>): string | undefined {
  if (!live) {
    return 'Not connected to a server';
  }
  return role === 'viewer' ? 'You are here as a viewer, who cannot edit' : undefined;
}

/** Returns why no file can be written, nothing be said on topics and no limit be set; undefined when it can. */
export function whyUnmanaged({ live, role }: Pick<Blocks, 'live' | 'role'>): string | undefined {
  const admin = role === '' || role === 'admin';
  return whyUncontrolled({ live, role }) ?? (admin ? undefined : `You are here as an ${role}. This takes the role admin`);
}

/** The reasons of now, for controls to be grey with and keys to be answered with. */
export class Reasons {
  constructor(private readonly now: () => Blocks) {}

  /** Why the world cannot be changed. */
  get edit(): string | undefined {
    return whyBlocked(this.now());
  }

  /** Why the clock cannot be run and stopped. */
  get control(): string | undefined {
    return whyUncontrolled(this.now());
  }

  /** Why no file can be written, nothing be said on topics and no limit be set. */
  get manage(): string | undefined {
    return whyUnmanaged(this.now());
  }

  against(action: Action): string | undefined {
    const { recording, past } = this.now();
    switch (needOf(action)) {
      case 'nothing':
        return undefined;
      case 'control':
        // In the past, and there alone, a step only looks.
        return action === 'step' && past && !recording ? undefined : this.control;
      case 'record':
        return recording ? this.edit : this.manage;
      case 'save':
        return this.edit ?? this.manage;
      case 'edit':
        return this.edit;
    }
  }
}
