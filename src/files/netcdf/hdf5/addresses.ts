import type { Cursor } from "../source/cursor.js";

/** An undefined address or size: all bits one (section II.A). */
export const UNDEFINED = -1;

/** The next address or length of `size` bytes at the cursor, or UNDEFINED. @throws DamagedFile above 2^53 */
export function undefinable(cursor: Cursor, size: number): number {
  const from = cursor.at;
  const { bytes } = cursor;
  let isUndefined = from + size <= bytes.length;
  for (let i = 0; isUndefined && i < size; i++) isUndefined = bytes[from + i] === 0xff;
  if (!isUndefined) return cursor.uint(size);
  cursor.skip(size);
  return UNDEFINED;
}
