/** The cursor of the plots in the 3D view: whoever points at a time of a plot sees the world then. */
import type { Place, Shown, TimelineHost } from '../panels/timeline/host';
import { isNow, placeAt } from '../panels/timeline/model';
import { liveBranch } from '../world/timeline';

export class LinkedCursor {
  /** Whether what is shown is the cursor's doing, and what was shown before; undefined is the present. */
  private led: { readonly before: Shown | undefined } | undefined;

  constructor(private readonly past: Pick<TimelineHost, 'timeline' | 'shown' | 'look' | 'lookAtPresent'>) {}

  /** Follows the cursor; undefined when it is on no plot, or not to be followed. */
  follow(secs: number | undefined, nowSecs: number): void {
    const place = secs === undefined ? undefined : this.placeOf(secs, nowSecs);
    if (place !== undefined) {
      this.led ??= { before: this.past.shown };
      this.past.look(place, place);
    } else if (this.led !== undefined) {
      const { before } = this.led;
      this.led = undefined;
      if (before === undefined) {
        this.past.lookAtPresent();
      } else {
        this.past.look({ branch: before.branch, secs: before.secs }, before);
      }
    }
  }

  /** An instant of the branch that goes on; what is not there yet is the present. */
  private placeOf(secs: number, nowSecs: number): Place | undefined {
    const { timeline } = this.past;
    if (timeline === undefined) {
      return undefined;
    }
    const place = placeAt(timeline, liveBranch(timeline)?.name ?? '', nowSecs, secs);
    return place === undefined || isNow(timeline, place, nowSecs) ? undefined : place;
  }
}
