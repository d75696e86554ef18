/** Limits the cost of a slice. */
import { TooLarge } from "../../netcdf/errors.js";
import { Parts } from "./gather.js";
import type { Selection } from "./selection.js";

export const MAX_CHUNKS = 10_000;

export function requireFewChunks(selection: Selection, chunks: readonly number[]): void {
  const { count } = new Parts(selection, chunks);
  if (count <= MAX_CHUNKS) return;
  throw new TooLarge(
    `The selection lies in ${count} chunks, and at most ${MAX_CHUNKS} are read for one answer: select fewer values at a time.`,
  );
}
