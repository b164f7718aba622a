/** Where captions stand: above their robots, those of one robot one above the other. */
import type { EntityId } from '../../world/entity';

export interface Caption {
  readonly number: number;
  readonly text: string;
  readonly player: EntityId;
}

export interface PlacedCaption extends Caption {
  /** From the top left of the view, in pixels: the lower left corner. */
  readonly x: number;
  readonly y: number;
}

/** Height of a line of captions, in pixels. */
const LINE = 32;
/** How near to the edge a caption may be. */
const MARGIN = 12;
/** The tools of the view are above this. */
const TOOLS = 48;
/** So many of the newest are shown, also where they lie over their robot. */
const LEAST_LINES = 2;

/**
 * Places captions; `top` says where the top of a player's robot is seen. What is out of sight, or
 * belongs to no robot, stands at the upper left. Older ones that have no room above are left out.
 */
export function placed(
  captions: readonly Caption[],
  top: (player: EntityId) => readonly [number, number] | undefined,
  [width, height]: readonly [number, number],
): readonly PlacedCaption[] {
  const above = new Map<EntityId, number>();
  const inside = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));
  // The newest is nearest to the robot.
  return captions.toReversed().flatMap((caption) => {
    const line = above.get(caption.player) ?? 0;
    above.set(caption.player, line + 1);
    const [x, y] = top(caption.player) ?? [MARGIN, 3 * LINE];
    const room = Math.max(LEAST_LINES, Math.floor((Math.min(y, height) - TOOLS) / LINE));
    if (line >= room) {
      return []; // It would hide the robot, or newer ones.
    }
    const lines = Math.min(room, captions.filter(({ player }) => player === caption.player).length);
    const lowest = inside(y, TOOLS + lines * LINE, height - MARGIN);
    return [{ ...caption, x: inside(x, MARGIN, width - 10 * MARGIN), y: lowest - line * LINE }];
  });
}
