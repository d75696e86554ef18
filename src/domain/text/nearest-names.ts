/** Longer texts are compared up to this length. */
const MAX_LENGTH = 64;
/** Unknown names of one request that are explained: each is compared with all known ones. */
export const MAX_EXPLAINED = 20;
/** Names in one answer. */
const MAX_NEAREST = 3;

/** The known names most similar to an unknown one, ignoring case, best first. */
export function nearest(unknown: string, known: readonly string[]): string[] {
  const text = unknown.slice(0, MAX_LENGTH).toLowerCase();
  const best: { name: string; distance: number }[] = [];
  let bound = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const distance = distanceOf(text, name.slice(0, MAX_LENGTH).toLowerCase(), bound);
    if (distance > bound || (best.length === MAX_NEAREST && distance === bound)) continue;
    const index = best.findIndex((one) => one.distance > distance);
    best.splice(index < 0 ? best.length : index, 0, { name, distance });
    if (best.length > MAX_NEAREST) best.pop();
    // Names farther than the worst of the best need no exact distance.
    if (best.length === MAX_NEAREST)
      bound = Math.min(bound, Math.ceil(best.at(-1)?.distance ?? bound));
  }
  return best.map(({ name }) => name);
}

/** The edit distance; a name that contains the other is near at any length. */
function distanceOf(a: string, b: string, bound: number): number {
  const contains = a.length > 2 && b.length > 2 && (b.includes(a) || a.includes(b));
  return contains ? 0.5 + Math.abs(a.length - b.length) / 200 : editDistance(a, b, bound);
}

/**
 * The Damerau-Levenshtein distance (optimal string alignment): characters added, missing or changed, and swapped neighbours.
 *
 * @param bound larger distances are infinite
 */
export function editDistance(a: string, b: string, bound = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > bound) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = new Array<number>(b.length + 1).fill(Number.POSITIVE_INFINITY);
    next[0] = i;
    let smallest = i;
    // Cells farther from the diagonal are beyond the bound.
    const last = Math.min(b.length, i + bound);
    for (let j = Math.max(1, i - bound); j <= last; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : change;
      const distance = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change, swap);
      if (distance < smallest) smallest = distance;
      next[j] = distance;
    }
    if (smallest > bound) return Number.POSITIVE_INFINITY;
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
