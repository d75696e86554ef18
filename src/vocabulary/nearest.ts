/** Of longer texts only so much is compared. */
const LONGEST = 64;

/**
 * The known names that are most like an unknown one in any case, best first, for an error that helps.
 *
 * @param limit how many at the most
 * @param farthest how many characters may differ; as many as there are where it is left out
 */
export function nearest(
  unknown: string,
  known: readonly string[],
  limit = 3,
  farthest = Number.POSITIVE_INFINITY,
): string[] {
  const text = unknown.slice(0, LONGEST).toLowerCase();
  const best: { name: string; distance: number }[] = [];
  let most = farthest;
  for (const name of known) {
    const distance = editDistance(text, name.slice(0, LONGEST).toLowerCase(), most);
    if (distance > most || (best.length === limit && distance === most)) continue;
    const place = best.findIndex((one) => one.distance > distance);
    best.splice(place < 0 ? best.length : place, 0, { name, distance });
    if (best.length > limit) best.pop();
    // What is farther than all that are kept need not be worked out to its end.
    if (best.length === limit) most = Math.min(most, Math.ceil(best.at(-1)?.distance ?? most));
  }
  return best.map(({ name }) => name);
}

/**
 * Levenshtein's distance, but a text that contains the other is near whatever its length.
 *
 * @param most up to which it is exact; what is farther is told as farther only, and sooner
 */
function editDistance(a: string, b: string, most: number): number {
  const longer = Math.abs(a.length - b.length);
  if (a.length > 2 && b.length > 2 && (b.includes(a) || a.includes(b))) return 0.5 + longer / 200;
  if (longer > most) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = new Array<number>(b.length + 1).fill(Number.POSITIVE_INFINITY);
    next[0] = i;
    let least = i;
    // Farther from the diagonal than that, no way back is short enough.
    const last = Math.min(b.length, i + most);
    for (let j = Math.max(1, i - most); j <= last; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change);
      if (cost < least) least = cost;
      next[j] = cost;
    }
    if (least > most) return Number.POSITIVE_INFINITY;
    row = next;
  }
  return row[b.length] ?? 0;
}
