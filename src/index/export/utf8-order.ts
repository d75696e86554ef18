/** Compares texts in Solr's order, by their UTF-8. JavaScript compares by UTF-16. */
export function inOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return byCodePoint(x) - byCodePoint(y);
  }
  return a.length - b.length;
}

/**
 * Whether UTF-16, by which Solr merges the shards, and code points, by which each shard is sorted, may order the text
 * differently. A merged list can only continue behind a file without such characters: what precedes any other file in one
 * order need not precede it in the other.
 */
export const hasOddOrder = (text: string): boolean => /[\ud800-\uffff]/.test(text);

/** Surrogates stand for characters beyond U+FFFF. */
const byCodePoint = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
