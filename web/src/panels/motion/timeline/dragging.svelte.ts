/** The drag that goes on in the timeline, and what is shown of it until the host has told it. */
import { uuidV7 } from '../../../lib/uuid';
import type { EditBody, TaughtMotion } from '../../../world/teaching';
import { agrees, motionWith, Mover, restOf, type Move, type ShownMove } from './moves';

/** A host that has not told a move by then does not want it, in ms. */
const PATIENCE_MS = 1000;

export class Dragging {
  private shown: ShownMove | undefined = $state.raw();
  private mover: Mover | undefined = $state.raw();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly send: (edit: EditBody, stroke: string) => void) {}

  /** Whether something is in hand. */
  get active(): boolean {
    return this.mover !== undefined;
  }

  /** What is in hand. */
  get move(): Move | undefined {
    return this.mover?.move;
  }

  begin(move: Move, began: TaughtMotion): void {
    this.finish();
    this.mover = new Mover(move, uuidV7(), this.send);
    this.shown = { move, at: restOf(move), began };
  }

  to(at: number): void {
    if (this.mover !== undefined && this.shown !== undefined) {
      this.mover.to(at);
      this.shown = { ...this.shown, at };
    }
  }

  finish(): void {
    this.mover?.finish();
    this.end();
  }

  cancel(): void {
    if (this.mover !== undefined && this.shown !== undefined) {
      this.mover.cancel();
      this.shown = { ...this.shown, at: this.mover.at };
    }
    this.end();
  }

  /** The motion as it is shown. */
  motionOf(told: TaughtMotion): TaughtMotion {
    return this.shown === undefined ? told : motionWith(told, this.shown);
  }

  /** Forgets a move that has ended and that the host has told. */
  settle(told: TaughtMotion): void {
    if (this.mover === undefined && this.shown !== undefined && agrees(told, this.shown)) {
      this.forget();
    }
  }

  dispose(): void {
    this.mover?.finish();
    this.forget();
  }

  private end(): void {
    if (this.mover !== undefined) {
      this.mover = undefined;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        if (this.mover === undefined) {
          this.forget();
        }
      }, PATIENCE_MS);
    }
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.shown = undefined;
  }
}
