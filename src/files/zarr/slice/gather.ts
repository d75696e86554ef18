/** From the blocks of an array, stored chunks or pieces of it, to the elements that are wanted. */
import { elementCount } from "../../netcdf/shape.js";
import { indexAt, type Selection, type Span } from "./selection.js";

/** What is wanted of one block along one dimension: the samples from `first` to before `end`. */
interface Share {
  readonly block: number;
  readonly first: number;
  readonly end: number;
}

/** A block of which something is wanted. */
export interface Part {
  /** Its number along each dimension. */
  readonly place: readonly number[];
  readonly shares: readonly Share[];
  /** The smallest box of the array with all of the block that is wanted. */
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/** The blocks of a selection, which are handed out one after the other. */
export class Parts implements Iterable<Part> {
  readonly #selection: Selection;
  readonly #shares: readonly (readonly Share[])[];
  /** How many there are. */
  readonly count: number;

  /** @param blocks shape of a block */
  constructor(selection: Selection, blocks: readonly number[]) {
    this.#selection = selection;
    this.#shares = selection.map((span, d) => sharesOf(span, Math.max(1, blocks[d] ?? 1)));
    this.count = elementCount(this.#shares.map(({ length }) => length));
  }

  *[Symbol.iterator](): Iterator<Part> {
    const at = this.#shares.map(() => 0);
    for (let n = 0; n < this.count; n++) {
      yield this.#part(this.#shares.flatMap((shares, d) => shares[at[d] ?? 0] ?? []));
      for (let d = at.length - 1; d >= 0; d--) {
        at[d] = (at[d] ?? 0) + 1;
        if ((at[d] ?? 0) < (this.#shares[d]?.length ?? 0)) break;
        at[d] = 0;
      }
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

function sharesOf(span: Span, length: number): Share[] {
  const shares: Share[] = [];
  for (let first = 0; first < span.count; ) {
    const block = Math.floor(indexAt(span, first) / length);
    let end = first + 1;
    // What is not sampled lies side by side: the block's end is known without a look at each.
    if (span.count === span.length) end = Math.min(span.count, (block + 1) * length - span.from);
    else while (end < span.count && indexAt(span, end) < (block + 1) * length) end += 1;
    shares.push({ block, first, end });
    first = end;
  }
  return shares;
}

/** Elements that were read, and where they lie in the array. */
export interface Source {
  /** The element at a place of what was read, unpacked. */
  readonly value: (at: number) => number;
  /** The index, along each dimension, of the first element. */
  readonly start: readonly number[];
  /** From one index to the next, in elements. */
  readonly steps: readonly number[];
}

/** Steps of an array that lies row by row, its dimensions in another order where one is given: the slowest one first. */
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

/** Where values go. */
export type Target = Float32Array | Float64Array;

/**
 * Copies what is wanted of a block.
 *
 * @param steps of the target, along each dimension of the array; those of dimensions that are not kept are of no account
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
