/**
 * The known names that are most like an unknown one in any case, best first, for an error that helps.
 *
 * @param limit how many at the most
 */
export function nearest(unknown: string, known: readonly string[], limit = 3): string[] {
  const text = unknown.slice(0, 64).toLowerCase();
  return known
    .map((name) => ({ name, distance: editDistance(text, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Levenshtein's distance, but a name that contains the other is near whatever its length. */
function editDistance(a: string, b: string): number {
  if (a.length > 2 && (b.includes(a) || a.includes(b))) return 0.5;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
