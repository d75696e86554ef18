/** Makes an HDF5 file whose chunks, of three sizes, are served as stored. */
import { File, ready } from "h5wasm/node";

/** Numbers (float32) in a chunk, by variable, and chunks: enough that the array does not count as small. */
const VARIABLES = {
  small: { length: 5000, chunks: 64 },
  middle: { length: 50_000, chunks: 8 },
  large: { length: 500_000, chunks: 8 },
} as const;

export type ChunkSize = keyof typeof VARIABLES;

/** Key of the n-th chunk of a variable. */
export const chunkKey = (name: ChunkSize, n: number): string =>
  `${name}/${n % VARIABLES[name].chunks}.0`;

/** Bytes of a chunk. */
export const chunkBytes = (name: ChunkSize): number => VARIABLES[name].length * 4;

/** Values without a pattern (a linear congruential generator). */
function numbers(count: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  });
}

export async function writeChunkFile(path: string): Promise<void> {
  await ready;
  const file = new File(path, "w");
  for (const [name, { length, chunks }] of Object.entries(VARIABLES)) {
    const shape = [chunks, length];
    const data = numbers(length * chunks);
    file.create_dataset({ name, data, shape, chunks: [1, length], dtype: "<f4" });
  }
  file.close();
}
