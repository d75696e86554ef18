/** Compares texts in Solr's order, by their UTF-8. JavaScript compares by UTF-16. */
export function inOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return byCodePoint(x) - byCodePoint(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for characters beyond U+FFFF. */
const byCodePoint = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
