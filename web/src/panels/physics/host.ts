/** What the panel needs of the page: the profiles, and ways to change them. */
import type { ProfileOrigin, SettingChange } from '../../commands/physics';
import type { Physics } from '../../world/physics';

/** Changes fail with a text for people; when they are done, `physics` shows them. */
export interface PhysicsHost {
  /** Undefined until the server told them. */
  readonly physics: Physics | undefined;
  /** Why they could not be read. */
  readonly problem: string | undefined;
  /** Keeps `physics` up to date until the returned function is called. */
  follow(): () => void;
  switchTo(name: string): Promise<void>;
  set(change: SettingChange): Promise<void>;
  create(name: string, origin: ProfileOrigin): Promise<void>;
  remove(name: string): Promise<void>;
  /** Makes or replaces the profiles of a text; returns what happened. */
  load(sdf: string): Promise<string>;
  /** Writes the profiles into the world's file; returns what happened. */
  saveIntoWorld(): Promise<string>;
  /** Puts the world back to its start, with the profiles as they are, and lets it run. */
  runAgain(): Promise<void>;
}
