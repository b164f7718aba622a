/** Follows a pointer from where it went down until it is let go. */

/** How far a pointer may move in a click, in pixels. */
const CLICK_SLACK_PX = 3;

export interface Following {
  /** The pointer went on, and it is no click any more. */
  readonly move: (event: PointerEvent) => void;
  /** It was let go; `dragged` tells whether it moved. */
  readonly end: (dragged: boolean, event: PointerEvent) => void;
  /** Escape was pressed, or the browser took the pointer away: all is to be as before. */
  readonly cancel: () => void;
}

/** Follows the pointer of `down` on an element; the result stops that, as a cancel does. */
export function follow(element: HTMLElement, down: PointerEvent, following: Following): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let dragged = false;
  const cancel = (): void => {
    if (!signal.aborted) {
      ending.abort();
      following.cancel();
    }
  };
  element.setPointerCapture(down.pointerId);
  element.addEventListener('pointermove', (event) => {
    dragged ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > CLICK_SLACK_PX;
    if (dragged) {
      following.move(event);
    }
  }, { signal });
  element.addEventListener('pointerup', (event) => {
    ending.abort();
    following.end(dragged, event);
  }, { signal });
  element.addEventListener('pointercancel', cancel, { signal });
  element.addEventListener('lostpointercapture', cancel, { signal });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      cancel();
    }
  }, { signal, capture: true });
  return cancel;
}

/** Where a pointer is in an element, in pixels from its top left. */
export function placeIn(element: HTMLElement, event: MouseEvent): readonly [number, number] {
  const box = element.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}
