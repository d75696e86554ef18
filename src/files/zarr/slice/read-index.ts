/** Parses the parameters of a slice request. */
import { type InvalidParameters, invalidParameter } from "../../../domain/errors.js";
import { type Selection, type Span, sampledRange, singleIndex } from "./selection.js";

interface SliceQuery {
  /** NumPy notation, one part per dimension: `5`, `-1`, `:`, `2:8`. Undefined: the last two dimensions, others at 0. */
  readonly index?: string | undefined;
  /** Maximum samples of the last remaining dimension, and of the one before it. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

const MAX_LINE = 1 << 20;
/** Maximum and default number of rows and columns. */
const MAX_SIDE = 2048;
const USUAL_SIDE = 1024;

const PART = /^(?:(?<one>-?\d{1,15})|(?<from>-?\d{1,15})?:(?<to>-?\d{1,15})?)$/;

const wrong = (reason: string): InvalidParameters => invalidParameter("index", reason);

/** @throws InvalidParameters, which names the parameter */
export function readSlice(
  { index, width, height }: SliceQuery,
  shape: readonly number[],
): Selection {
  const parts = index === undefined ? usualParts(shape) : partsOf(index, shape);
  const spans = parts.map((part, d) => spanOf(part, d, shape[d] ?? 0));
  const kept = spans.flatMap(({ isKept }, d) => (isKept ? [d] : []));
  if (kept.length > 2) throw wrong("keeps more than two dimensions");
  const [first, second] = kept;
  if (height !== undefined && second === undefined) {
    throw invalidParameter("height", "is for slices of two dimensions");
  }
  if (width !== undefined && first === undefined) {
    throw invalidParameter("width", "is for slices of one or two dimensions");
  }
  if (second !== undefined && (width ?? 1) > MAX_SIDE) {
    throw invalidParameter("width", `must be at most ${MAX_SIDE} where two dimensions are kept`);
  }
  return spans.map((span, d) => {
    if (!span.isKept) return span;
    if (second === undefined) return sampledRange(span.from, span.length, width ?? MAX_LINE);
    return sampledRange(span.from, span.length, (d === second ? width : height) ?? USUAL_SIDE);
  });
}

const usualParts = (shape: readonly number[]): string[] =>
  shape.map((_, d) => (d < shape.length - 2 ? "0" : ":"));

function partsOf(index: string, shape: readonly number[]): string[] {
  const parts = index.split(",").map((part) => part.trim());
  if (parts.length === shape.length) return parts;
  const lengths = shape.length === 0 ? "none" : `${shape.length}, of ${shape.join(", ")}`;
  throw wrong(`must have one part for each dimension of the variable, which has ${lengths}`);
}

/** @param d number of the dimension, from 0 */
function spanOf(part: string, d: number, length: number): Span {
  const found = PART.exec(part);
  if (found === null) {
    throw wrong("must be whole numbers, ranges such as 2:8, or : for all of a dimension");
  }
  const { one, from, to } = found.groups ?? {};
  const which = `dimension ${d + 1}, which has ${length} indexes`;
  const indexOf = (text: string, last: number): number => {
    const number = Number(text);
    // Negative numbers count from the end.
    const index = number < 0 ? length + number : number;
    if (index < 0) throw wrong(`${text} is before the start of ${which}`);
    if (index > last) throw wrong(`${text} is beyond the end of ${which}`);
    return index;
  };
  if (one !== undefined) return singleIndex(indexOf(one, length - 1));
  const start = from === undefined ? 0 : indexOf(from, length);
  const end = to === undefined ? length : indexOf(to, length);
  const isAll = from === undefined && to === undefined;
  if (start >= end && !isAll) throw wrong(`${part} is nothing of ${which}`);
  return sampledRange(start, end - start);
}
