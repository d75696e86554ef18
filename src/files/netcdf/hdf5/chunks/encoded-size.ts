/** Number of bytes needed for values up to a limit. */
export function encodedSize(limit: number): number {
  return Math.floor(Math.log2(Math.max(1, limit)) / 8) + 1;
}
