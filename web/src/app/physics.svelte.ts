/** The physics profiles of the world, read anew whenever they may have changed and somebody looks. */
import {
  createProfile, fetchPhysics, loadProfiles, removeProfile, saveProfiles, setSetting, switchProfile, type ProfileOrigin, type SettingChange,
} from '../commands/physics';
import { setPaused } from '../commands/controlWorld';
import { resetWorld } from '../commands/resetWorld';
import type { Sender } from '../commands/send';
import { errorText } from '../lib/errorText';
import type { PhysicsHost } from '../panels/physics/host';
import type { WorldStatistics } from '../protocol/generated/retake/msgs/world_pb';
import { readVec3 } from '../world/components';
import type { Physics } from '../world/physics';
import type { World, WorldChange } from '../world/world';

/** Components that profiles live in. */
const COMPONENTS = ['physics_profiles', 'current_profile', 'gravity'];

/** What of the statistics tells that other values are in force. */
type Pace = Pick<WorldStatistics, 'profile' | 'targetRealTimeFactor' | 'stepSizeSecs'>;

export class PhysicsProfiles implements PhysicsHost {
  physics: Physics | undefined = $state.raw();
  problem: string | undefined = $state();

  /** How many look. */
  private followers = 0;
  private running: Promise<void> = Promise.resolve();
  /** The reading that has not begun yet; whoever wants one now shares it. */
  private next: Promise<void> | undefined;
  private pace: Pace | undefined;

  constructor(
    private readonly sender: Sender,
    private readonly world: Pick<World, 'children'>,
    /** Does something that takes the world to another time, and says whether it was done. */
    private readonly jumping: (cause: string, jump: () => Promise<boolean>) => Promise<boolean>,
  ) {}

  /** Gravity of the world as SDF writes it, which holds unless the profile in force has its own. */
  get worldGravity(): string | undefined {
    void this.physics;
    const world = this.world.children(undefined).find(({ kind }) => kind === 'world');
    return readVec3(world?.component('gravity'))?.join(' ');
  }

  /** Begins anew with a connection. What is known stays until it is told anew, and with it what is being typed. */
  begin(): void {
    this.outdate();
  }

  follow(): () => void {
    this.followers += 1;
    this.outdate();
    return () => {
      this.followers -= 1;
    };
  }

  useChange({ replaced, touched }: WorldChange): void {
    const ours = (names: ReadonlySet<string>): boolean => COMPONENTS.some((name) => names.has(name));
    if (replaced || [...touched.values()].some(ours)) {
      this.outdate();
    }
  }

  /**
   * Somebody edited the world, or took something back. States pass over what was taken back before
   * the next of them was sent; what was read meanwhile would stay.
   */
  useEdit(): void {
    this.outdate();
  }

  useStats({ profile, targetRealTimeFactor, stepSizeSecs }: WorldStatistics): void {
    const { pace } = this;
    this.pace = { profile, targetRealTimeFactor, stepSizeSecs };
    const same = pace?.profile === profile && pace.targetRealTimeFactor === targetRealTimeFactor && pace.stepSizeSecs === stepSizeSecs;
    if (!same) {
      this.outdate();
    }
  }

  async switchTo(name: string): Promise<void> {
    await this.change(() => switchProfile(this.sender, name));
  }

  async set(change: SettingChange): Promise<void> {
    await this.change(() => setSetting(this.sender, change));
  }

  async create(name: string, origin: ProfileOrigin): Promise<void> {
    await this.change(() => createProfile(this.sender, name, origin));
  }

  async remove(name: string): Promise<void> {
    await this.change(() => removeProfile(this.sender, name));
  }

  load(sdf: string): Promise<string> {
    return this.change(() => loadProfiles(this.sender, sdf));
  }

  saveIntoWorld(): Promise<string> {
    return saveProfiles(this.sender);
  }

  async runAgain(): Promise<void> {
    let refusal: unknown;
    const reset = resetWorld(this.sender, { keepProfiles: true }).then(() => true, (error: unknown) => {
      refusal = error;
      return false;
    });
    if (!(await this.jumping('reset', () => reset))) {
      throw refusal;
    }
    await setPaused(this.sender, false);
  }

  private async change<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await command();
    } finally {
      await this.refresh();
    }
  }

  private outdate(): void {
    if (this.followers > 0) {
      void this.refresh();
    }
  }

  private refresh(): Promise<void> {
    // One that is under way may have been answered before the change.
    this.next ??= this.running.then(() => {
      this.next = undefined;
      this.running = this.fetch();
      return this.running;
    });
    return this.next;
  }

  private async fetch(): Promise<void> {
    try {
      this.physics = await fetchPhysics(this.sender);
      this.problem = undefined;
    } catch (error) {
      this.problem = errorText(error);
    }
  }
}
