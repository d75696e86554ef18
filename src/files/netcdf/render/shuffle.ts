/** HDF5's shuffle filter, which groups bytes of the same significance for better compression. */

/** Restores shuffled elements. Trailing bytes of an incomplete element stay in place. */
export function unshuffle(data: Uint8Array, size: number): Uint8Array {
  if (size <= 1 || data.length < size) return data;
  const count = Math.floor(data.length / size);
  const result = new Uint8Array(data.length);
  for (let byte = 0; byte < size; byte++) {
    const from = byte * count;
    for (let i = 0, to = byte; i < count; i++, to += size) result[to] = data[from + i] ?? 0;
  }
  result.set(data.subarray(count * size), count * size);
  return result;
}

export function shuffle(data: Uint8Array, size: number): Uint8Array {
  if (size <= 1 || data.length < size) return data;
  const count = Math.floor(data.length / size);
  const result = new Uint8Array(data.length);
  for (let byte = 0; byte < size; byte++) {
    const to = byte * count;
    for (let i = 0, from = byte; i < count; i++, from += size) result[to + i] = data[from] ?? 0;
  }
  result.set(data.subarray(count * size), count * size);
  return result;
}
