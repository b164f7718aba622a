/** What the buttons of the panel do to the draft that it shows, and what came of it. */
import type { ShownPose } from '../../commands/teach';
import {
  addPose, armTwin, checkDraft, executeDraft, loadDraft, mirrorDraft, openDraft, putPose, recordPath, retimeDraft, saveDraft,
  stopDraft, switchTorque, takePose, undoDraft,
} from '../../commands/teach';
import { errorText } from '../../lib/errorText';
import { wireId, type Draft, type EditBody, type MotionWarning, type Twin } from '../../world/teaching';
import { copied, pasteEdit, pasteTime } from './clipboard';
import type { MotionHost } from './host';
import { inOrder, madeNow } from './selection';
import type { MotionViews } from './views.svelte';

export type Say = (level: 'info' | 'error', text: string) => void;

/** What `CheckDraft` found, and of which draft. */
interface Findings {
  readonly robot: string;
  readonly revision: number;
  readonly warnings: readonly MotionWarning[];
}

export class Desk {
  /** Why the newest execution did not begin, by robot. */
  private refusals: Readonly<Record<Twin, string | undefined>> = $state.raw({ virtual: undefined, real: undefined });
  private found: Findings | undefined = $state.raw();
  /** Whether an answer is outstanding that may take long. */
  checking = $state(false);

  constructor(
    private readonly host: MotionHost,
    private readonly views: MotionViews,
    /** The draft that shows; its robot is there even without one. */
    private readonly shown: () => { readonly robot: string; readonly draft: Draft | undefined },
    private readonly say: Say,
  ) {}

  refusal(twin: Twin): string | undefined {
    return this.refusals[twin];
  }

  /** What the last check found in this very draft; undefined when it was changed since. */
  findings(draft: Draft): readonly MotionWarning[] | undefined {
    const fits = this.found?.robot === draft.robot && this.found.revision === draft.revision;
    return fits ? this.found?.warnings : undefined;
  }

  /** Sends an edit and says why when it is refused; returns whether it was done. */
  async edit(edit: EditBody, stroke = ''): Promise<boolean> {
    return this.attempt(() => this.host.edit(this.robot, edit, stroke));
  }

  async editAll(edits: readonly EditBody[], stroke: string): Promise<void> {
    await this.attempt(() => Promise.all(edits.map((edit) => this.host.edit(this.robot, edit, stroke))));
  }

  async open(anew: boolean): Promise<void> {
    await this.attempt(() => openDraft(this.host.sender, this.robot, anew));
  }

  /** Fails with a text for people. */
  load(motion: string): Promise<void> {
    return loadDraft(this.host.sender, this.robot, motion);
  }

  /** Fails with a text for people. */
  save(name: string, replace: boolean): Promise<'saved' | 'exists'> {
    return saveDraft(this.host.sender, this.robot, name, replace);
  }

  async undo(direction: 'undo' | 'redo'): Promise<void> {
    await this.attempt(() => undoDraft(this.host.sender, this.robot, direction));
  }

  async addPose(twin: Twin): Promise<void> {
    await this.attempt(async () => {
      this.select(await addPose(this.host.sender, this.robot, twin, this.views.cursorSecs));
    });
  }

  async takePose(twin: Twin): Promise<void> {
    const { current } = this.views.selection;
    if (current !== undefined) {
      await this.attempt(() => takePose(this.host.sender, this.robot, twin, current));
    }
  }

  async putPose(): Promise<void> {
    const { current } = this.views.selection;
    if (current !== undefined) {
      await this.attempt(() => putPose(this.host.sender, this.robot, current));
    }
  }

  /** A refusal stands beside the button. */
  async execute(twin: Twin, backward = false): Promise<void> {
    const { speed, loops, approach } = this.views;
    this.refusals = { ...this.refusals, [twin]: undefined };
    try {
      await executeDraft(this.host.sender, this.robot, { twin, backward, speed, loops, approach });
    } catch (error) {
      this.refusals = { ...this.refusals, [twin]: errorText(error) };
    }
  }

  async stop(twin: Twin): Promise<void> {
    await this.attempt(() => stopDraft(this.host.sender, this.robot, twin));
  }

  async arm(arm: boolean): Promise<void> {
    await this.attempt(() => armTwin(this.host.sender, this.robot, arm));
  }

  async torque(twin: Twin, which: { readonly all: boolean; readonly on: boolean }): Promise<void> {
    await this.attempt(() => switchTorque(this.host.sender, this.robot, twin, which));
  }

  async record(twin: Twin, what: 'begin' | 'end' | 'discard'): Promise<void> {
    await this.attempt(async () => {
      this.select(await recordPath(this.host.sender, this.robot, twin, what));
    });
  }

  async check(): Promise<void> {
    const { robot, draft } = this.shown();
    this.checking = true;
    await this.attempt(async () => {
      const warnings = await checkDraft(this.host.sender, robot);
      this.found = { robot, revision: draft?.revision ?? 0, warnings };
      this.say('info', warnings.length === 0 ? 'Nothing stands in the way of the motion' : `The check found ${warnings.length === 1 ? '1 problem' : `${warnings.length} problems`}`);
    });
    this.checking = false;
  }

  async retime(): Promise<void> {
    await this.attempt(() => retimeDraft(this.host.sender, this.robot));
  }

  /** Mirrors the selected waypoints, or all of them. */
  async mirror(): Promise<void> {
    const ids = inOrder(this.views.selection, this.order);
    await this.attempt(() => mirrorDraft(this.host.sender, this.robot, ids.length > 1 ? ids : []));
  }

  async reverse(): Promise<void> {
    await this.edit({ case: 'reverse', value: true });
  }

  /** Makes the speed of the slider the taught one. */
  async applySpeed(): Promise<void> {
    if (await this.edit({ case: 'scaleSpeed', value: this.views.speed })) {
      this.views.speed = 1;
    }
  }

  copy(): void {
    const { draft } = this.shown();
    const clipboard = draft && copied(draft.motion, this.views.selection.ids);
    if (clipboard !== undefined) {
      this.views.clipboard = clipboard;
      const count = clipboard.points.length;
      this.say('info', `Copied ${count === 1 ? '1 waypoint' : `${count} waypoints`}`);
    }
  }

  async paste(): Promise<void> {
    const { clipboard, cursorSecs } = this.views;
    const { draft } = this.shown();
    if (clipboard !== undefined && draft !== undefined) {
      await this.attempt(async () => {
        this.select(await this.host.edit(this.robot, pasteEdit(clipboard, pasteTime(draft.motion, cursorSecs)), ''));
      });
    }
  }

  async deletePoints(ids: readonly string[] = inOrder(this.views.selection, this.order)): Promise<void> {
    if (ids.length > 0) {
      await this.edit({ case: 'deleteWaypoints', value: { id: ids.map(wireId) } });
    }
  }

  /** Shows a pose in the 3D view; undefined: none. */
  show(pose: ShownPose | undefined): void {
    this.host.show(this.robot, pose);
  }

  /** Does something and says why when it fails; returns whether it was done. */
  async attempt(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      this.say('error', errorText(error));
      return false;
    }
  }

  private get robot(): string {
    return this.shown().robot;
  }

  private get order(): readonly string[] {
    return this.shown().draft?.motion.waypoints.map(({ id }) => id) ?? [];
  }

  /** What was made may come with the next state only; it is selected all the same. */
  private select(made: readonly string[]): void {
    if (made.length > 0) {
      this.views.cursorSecs = undefined;
      this.views.selection = madeNow(made);
    }
  }
}
