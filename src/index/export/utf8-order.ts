/** Solr's order of texts, that of their UTF-8; JavaScript's own is that of UTF-16. */
export function inOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return byCodePoint(x) - byCodePoint(y);
  }
  return a.length - b.length;
}

/**
 * Characters whose order differs between UTF-16, by which Solr merges shards, and UTF-8, by which each shard is sorted:
 * those beyond U+FFFF, and those from U+E000. They are rare in paths.
 */
export const hasOddOrder = (text: string): boolean => /[\ud800-\uffff]/.test(text);

/** Units of pairs stand for what comes after U+FFFF. */
const byCodePoint = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
