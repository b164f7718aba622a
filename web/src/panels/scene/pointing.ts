/** How the pointer reaches the tools of the view: each may take it before the camera does. */

/** Where the pointer is and which keys are held. */
export interface Pointing {
  /** In the range −1 to 1, y up. */
  readonly x: number;
  readonly y: number;
  /** In pixels from the top left of the view. */
  readonly px: number;
  readonly py: number;
  readonly ctrl: boolean;
  readonly shift: boolean;
}

/** What works with the pointer; what a tool leaves out it has no use for. */
export interface PointerTool {
  /** Takes the pointer from the camera; says whether it has it until it is let go of. */
  press?(at: Pointing): boolean;
  /** The pointer that it has moves. */
  drag?(at: Pointing): void;
  /** The pointer that it has is let go of. */
  release?(at: Pointing): void;
  /** Nobody has the pointer, and it moves; undefined when it leaves the view. */
  hover?(at: Pointing | undefined): void;
  /** A click that no tool has taken; says whether it was for this one. */
  click?(at: Pointing): boolean;
  /** Ends what is under way without a trace; says whether anything was. */
  cancel?(): boolean;
}

/** How far a pointer may move in a click, in pixels. */
export const CLICK_SLACK = 4;

/** Hands the pointer to the first tool that wants it. */
export class PointerChain {
  private holder: PointerTool | undefined;
  /** Where it was pressed while nobody took it. */
  private down: Pointing | undefined;

  constructor(private readonly tools: readonly PointerTool[]) {}

  /** Says whether a tool has taken the pointer. */
  press(at: Pointing): boolean {
    this.holder = this.tools.find((tool) => tool.press?.(at) === true);
    this.down = this.holder === undefined ? at : undefined;
    return this.holder !== undefined;
  }

  move(at: Pointing): void {
    if (this.holder !== undefined) {
      this.holder.drag?.(at);
    } else {
      this.tools.forEach((tool) => tool.hover?.(at));
    }
  }

  leave(): void {
    this.tools.forEach((tool) => tool.hover?.(undefined));
  }

  release(at: Pointing): void {
    const { holder, down } = this;
    this.holder = undefined;
    this.down = undefined;
    holder?.release?.(at);
    if (down !== undefined && !hasMoved(down, at)) {
      this.tools.find((tool) => tool.click?.(at) === true);
    }
  }

  /** The pointer is gone: whatever was in hand goes back. */
  lose(): void {
    this.holder?.cancel?.();
    this.holder = undefined;
    this.down = undefined;
  }

  /** Ends what the first busy tool does; says whether one was busy. */
  cancel(): boolean {
    this.holder = undefined;
    return this.tools.some((tool) => tool.cancel?.() === true);
  }
}

/** Says whether a pointer went too far for a click. */
export function hasMoved(from: Pointing, to: Pointing): boolean {
  return Math.hypot(to.px - from.px, to.py - from.py) > CLICK_SLACK;
}
