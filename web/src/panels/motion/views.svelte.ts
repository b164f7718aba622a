/** What this page shows of the drafts. It is nobody else's business and outlives the panel. */
import { keepAngleUnit, keptAngleUnit, type AngleUnit } from './angles';
import type { Clipboard } from './clipboard';
import type { PanelTab } from './layout';
import { NOTHING, type Selection } from './selection';

export class MotionViews {
  /** The robot that was chosen; it may be gone. */
  robot: string | undefined = $state();
  tab: PanelTab = $state('table');
  /** Name of the group whose joints show; empty: all of them. */
  group = $state('');
  selection: Selection = $state.raw(NOTHING);
  /** A time in the draft that the ghost shows, in s. */
  cursorSecs: number | undefined = $state();
  clipboard: Clipboard | undefined = $state.raw();
  /** Of the slider, against the taught one. */
  speed = $state(1);
  loops = $state(false);
  /** Whether executing begins with going to the start slowly. */
  approach = $state(true);
  angles: AngleUnit = $state(keptAngleUnit());

  useAngles(unit: AngleUnit): void {
    this.angles = unit;
    keepAngleUnit(unit);
  }

  /** Looks at another robot. */
  choose(robot: string): void {
    if (robot !== this.robot) {
      this.robot = robot;
      this.group = '';
      this.selection = NOTHING;
      this.cursorSecs = undefined;
    }
  }
}
