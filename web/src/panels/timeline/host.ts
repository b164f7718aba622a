/** What the timeline asks of the page around it. Whatever fails, fails with a text for people. */
import type { NamedKind, TimelineLimits } from '../../commands/editTimeline';
import type { FoundInstant, Instant, Timeline } from '../../world/timeline';

/** A place on the timeline. */
export interface Place {
  readonly branch: string;
  readonly secs: number;
}

/** What the page shows in place of the present. */
export interface Shown extends Place {
  readonly found: FoundInstant;
  /** The bookmark that was asked for; empty when it was none. */
  readonly bookmark: string;
}

export interface TimelineHost {
  /** Undefined until the server told it. */
  readonly timeline: Timeline | undefined;
  /** Undefined while the present is shown. */
  readonly shown: Shown | undefined;
  /** Where the person wants to be, until the page is there. */
  readonly wanted: Place | undefined;
  /** Shows an instant. While one is looked for only the newest wish waits. */
  look(instant: Instant, at: Place): void;
  lookAtPresent(): void;
  /** Lets the world go on from the instant that is shown; with a name, on a new branch. */
  resume(fork?: string): Promise<void>;
  resumeFrom(instant: Instant): Promise<void>;
  /** Lets the world go on at the end of a branch. */
  switchTo(branch: string): Promise<void>;
  /** Names the instant that is shown, or the present. */
  bookmark(name: string): Promise<void>;
  rename(kind: NamedKind, name: string, to: string): Promise<void>;
  remove(kind: NamedKind, name: string): Promise<void>;
  limit(limits: TimelineLimits): Promise<void>;
}
