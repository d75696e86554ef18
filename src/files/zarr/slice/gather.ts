/** Splits a selection into parts of blocks, and copies their elements. */
import { chunkPlace } from "../../netcdf/chunk-table.js";
import { TooLarge } from "../../netcdf/errors.js";
import { elementCount } from "../../netcdf/shape.js";
import { indexAt, type Selection, type Span } from "./selection.js";

/** The samples of one block along one dimension: from `first` to before `end`. */
interface Share {
  readonly block: number;
  readonly first: number;
  readonly end: number;
}

interface Part {
  /** Its index along each dimension. */
  readonly place: readonly number[];
  readonly shares: readonly Share[];
  /** The smallest box of the array that contains all selected elements of the block. */
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/** The blocks of a selection, generated one after the other. */
export class Parts implements Iterable<Part> {
  readonly #selection: Selection;
  readonly #shares: readonly (readonly Share[])[];
  /** Number of blocks. */
  readonly count: number;

  constructor(selection: Selection, blocks: readonly number[]) {
    this.#selection = selection;
    this.#shares = selection.map((span, d) => sharesOf(span, Math.max(1, blocks[d] ?? 1)));
    this.count = elementCount(this.#shares.map(({ length }) => length));
  }

  *[Symbol.iterator](): Iterator<Part> {
    const counts = this.#shares.map(({ length }) => length);
    for (let n = 0; n < this.count; n++) {
      const at = chunkPlace(n, counts);
      yield this.#part(this.#shares.flatMap((shares, d) => shares[at[d] ?? 0] ?? []));
    }
  }

  #part(shares: readonly Share[]): Part {
    const ends = shares.map(({ first, end }, d): [number, number] => {
      const span = this.#selection[d];
      return span === undefined ? [0, 0] : [indexAt(span, first), indexAt(span, end - 1)];
    });
    return {
      shares,
      place: shares.map(({ block }) => block),
      start: ends.map(([from]) => from),
      shape: ends.map(([from, to]) => to - from + 1),
    };
  }
}

export const MAX_CHUNKS = 10_000;

/** Limits the cost of a slice. */
export function requireFewChunks(selection: Selection, chunks: readonly number[]): void {
  const { count } = new Parts(selection, chunks);
  if (count <= MAX_CHUNKS) return;
  throw new TooLarge(
    `The selection lies in ${count} chunks, and at most ${MAX_CHUNKS} are read for one answer: select fewer values at a time.`,
  );
}

function sharesOf(span: Span, length: number): Share[] {
  const shares: Share[] = [];
  for (let first = 0; first < span.count; ) {
    const block = Math.floor(indexAt(span, first) / length);
    let end = first + 1;
    // Without sampling the indexes are contiguous, so the block's end can be computed.
    if (span.count === span.length) end = Math.min(span.count, (block + 1) * length - span.from);
    else while (end < span.count && indexAt(span, end) < (block + 1) * length) end += 1;
    shares.push({ block, first, end });
    first = end;
  }
  return shares;
}

/** Elements that were read, and their position in the array. */
interface Source {
  /** The unpacked element at an offset in the data read. */
  readonly value: (at: number) => number;
  /** The index of the first element, along each dimension. */
  readonly start: readonly number[];
  /** Distance between indexes, in elements. */
  readonly steps: readonly number[];
}

/** The steps of a row-major array, or of one with another order of dimensions, the slowest first. */
export function stepsOf(
  shape: readonly number[],
  order: readonly number[] = [...shape.keys()],
): number[] {
  const steps = shape.map(() => 0);
  let step = 1;
  for (const d of [...order].reverse()) {
    steps[d] = step;
    step *= shape[d] ?? 1;
  }
  return steps;
}

export type Target = Float32Array | Float64Array;

/**
 * Copies the selected elements of a block.
 *
 * @param steps of the target, along each dimension of the array; those of dropped dimensions are ignored
 */
export function copyPart(
  selection: Selection,
  { shares }: Part,
  source: Source,
  target: Target,
  steps: readonly number[],
): void {
  const places = selection.map((span, d) => {
    const { first = 0, end = 0 } = shares[d] ?? {};
    const from = new Float64Array(end - first);
    for (let i = first; i < end; i++) {
      from[i - first] = (indexAt(span, i) - (source.start[d] ?? 0)) * (source.steps[d] ?? 0);
    }
    return from;
  });
  const walk = (d: number, from: number, to: number): void => {
    const own = places[d];
    if (own === undefined) {
      target[to] = source.value(from);
      return;
    }
    const step = steps[d] ?? 0;
    const first = to + (shares[d]?.first ?? 0) * step;
    if (d === places.length - 1) {
      for (let i = 0; i < own.length; i++)
        target[first + i * step] = source.value(from + (own[i] ?? 0));
      return;
    }
    for (let i = 0; i < own.length; i++) walk(d + 1, from + (own[i] ?? 0), first + i * step);
  };
  walk(0, 0, 0);
}
