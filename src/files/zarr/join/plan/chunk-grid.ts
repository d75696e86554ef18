/** Chooses the chunks of a joined array along the joining axis. */
import { largestDivisor } from "../../metadata/chunk-shape.js";

/** Steps of one file in a joined array. */
export interface Run {
  /** Index of the first step in the joined array, and in the file. */
  readonly start: number;
  readonly from: number;
  readonly length: number;
  /** Length of a stored chunk along the axis; undefined if the values can be cut anywhere. */
  readonly chunk: number | undefined;
  /** Whether it ends the axis, so that its last chunk may be partial. */
  readonly isLast: boolean;
}

/**
 * How chunks relate to those of the files: `aligned` ones can be stored chunks, `cut` ones are parts of stored chunks,
 * `stitched` ones may hold steps of several files.
 */
type GridKind = "aligned" | "cut" | "stitched";

export interface AxisGrid {
  /** Length of a chunk along the axis. */
  readonly length: number;
  readonly kind: GridKind;
}

/** A smaller regular chunk has at least this part of the usual one; of values in one piece, which are cut without decoding, this. */
const MIN_PART = 1 / 8;
const MIN_PART_OF_PIECE = 1 / 32;
/** Files of which one stitched chunk may hold steps. */
const MAX_FILES = 3;

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/**
 * @param runs in order, without gaps within a group; several groups may follow each other, each from 0
 * @param wanted steps of a chunk if no file has chunks
 */
export function chooseGrid(runs: readonly Run[], wanted: number): AxisGrid {
  // Chunks begin at the start of each file if all boundaries are multiples of their length.
  const bounds = runs.reduce(
    (common, { start, from, length, isLast }) =>
      [start, from, isLast ? 0 : length].reduce(gcd, common),
    0,
  );
  const stored = commonest(runs);
  const usual = stored ?? Math.max(1, wanted);
  if (bounds % usual === 0) return { length: usual, kind: "aligned" };
  const common = stored === undefined ? largestDivisor(bounds, usual) : gcd(bounds, usual);
  if (common >= usual * (stored === undefined ? MIN_PART_OF_PIECE : MIN_PART)) {
    return { length: common, kind: stored === undefined ? "aligned" : "cut" };
  }
  let length = usual;
  while (length > 1 && mostFiles(runs, length) > MAX_FILES) length = Math.ceil(length / 2);
  return length === 1 ? { length, kind: "cut" } : { length, kind: "stitched" };
}

/** The chunk length of most steps; undefined if no file has chunks. */
function commonest(runs: readonly Run[]): number | undefined {
  const steps = new Map<number, number>();
  for (const { chunk, length } of runs) {
    if (chunk !== undefined) steps.set(chunk, (steps.get(chunk) ?? 0) + length);
  }
  return [...steps].sort(([a, m], [b, n]) => n - m || a - b)[0]?.[0];
}

/** The most files that meet in one chunk. */
function mostFiles(runs: readonly Run[], length: number): number {
  let most = 0;
  let files = 0;
  let chunk = -1;
  for (const { start, length: steps } of runs) {
    const first = Math.floor(start / length);
    files = first === chunk ? files + 1 : 1;
    most = Math.max(most, files);
    const last = Math.floor((start + steps - 1) / length);
    if (last !== first) files = 1;
    chunk = last;
  }
  return most;
}
