/** Keyboard control of the box on the map. */
import { type Box, boxBetween, moved, resized } from "./box.js";

/** Degrees. */
const STEP = 5;

const ARROWS: Readonly<Record<string, readonly [eastwards: number, northwards: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

export const isClearing = (key: string): boolean => key === "Delete" || key === "Backspace";

/**
 * @param centre the longitude in the middle of the map, where the first box is drawn
 * @returns undefined for other keys
 */
export function boxAfterKey(
  { key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">,
  box: Box | undefined,
  centre: number,
): Box | undefined {
  const arrow = ARROWS[key];
  if (box === undefined) {
    const draws = arrow !== undefined || key === "Enter" || key === " ";
    return draws ? boxBetween([centre - 30, -20], [centre + 30, 20]) : undefined;
  }
  if (arrow === undefined) return undefined;
  const [eastwards, northwards] = arrow;
  if (!shiftKey) return moved(box, eastwards, northwards);
  return eastwards === 0 ? resized(box, "north", northwards) : resized(box, "east", eastwards);
}
