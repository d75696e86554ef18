/**
 * The known names that are most like an unknown one in any case, best first, for an error that helps.
 *
 * @param limit how many at the most
 */
export function nearest(unknown: string, known: readonly string[], limit = 3): string[] {
  const text = unknown.slice(0, 64).toLowerCase();
  return known
    .map((name) => ({ name, distance: distanceOf(text, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** As the edit distance, but a name that contains the other is near whatever its length. */
function distanceOf(a: string, b: string): number {
  return a.length > 2 && (b.includes(a) || a.includes(b)) ? 0.5 : editDistance(a, b);
}

/** How many slips make one name of the other: a character too many, too few, another, or two that changed places. */
export function editDistance(a: string, b: string): number {
  let last: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (last[j - 2] ?? 0) + 1 : change;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change, swap));
    }
    last = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
