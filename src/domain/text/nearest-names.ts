/** Of longer texts only so much is compared. */
const MAX_LENGTH = 64;

/**
 * The known names that are most like an unknown one in any case, best first, for an error that helps.
 *
 * @param limit how many at the most
 * @param farthest how many slips there may be; any number where it is left out
 */
export function nearest(
  unknown: string,
  known: readonly string[],
  limit = 3,
  farthest = Number.POSITIVE_INFINITY,
): string[] {
  const text = unknown.slice(0, MAX_LENGTH).toLowerCase();
  const best: { name: string; distance: number }[] = [];
  let most = farthest;
  for (const name of known) {
    const distance = distanceOf(text, name.slice(0, MAX_LENGTH).toLowerCase(), most);
    if (distance > most || (best.length === limit && distance === most)) continue;
    const place = best.findIndex((one) => one.distance > distance);
    best.splice(place < 0 ? best.length : place, 0, { name, distance });
    if (best.length > limit) best.pop();
    // What is farther than all that are kept need not be worked out to its end.
    if (best.length === limit) most = Math.min(most, Math.ceil(best.at(-1)?.distance ?? most));
  }
  return best.map(({ name }) => name);
}

/** As the edit distance, but a name that contains the other is near whatever its length. */
function distanceOf(a: string, b: string, most: number): number {
  const contains = a.length > 2 && b.length > 2 && (b.includes(a) || a.includes(b));
  return contains ? 0.5 + Math.abs(a.length - b.length) / 200 : editDistance(a, b, most);
}

/**
 * How many slips make one name of the other: a character too many, too few, another, or two that changed places.
 *
 * @param most up to which it is exact; what is farther is told as farther only, and sooner
 */
export function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = new Array<number>(b.length + 1).fill(Number.POSITIVE_INFINITY);
    next[0] = i;
    let least = i;
    // Farther from the diagonal than that, no way back is short enough.
    const last = Math.min(b.length, i + most);
    for (let j = Math.max(1, i - most); j <= last; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : change;
      const slips = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change, swap);
      if (slips < least) least = slips;
      next[j] = slips;
    }
    if (least > most) return Number.POSITIVE_INFINITY;
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
