/** Reads the values of coordinates of a local file. */
import type { ValueSource } from "../../../../src/files/cf/values.js";
import { NotReadableFormat, TooLarge } from "../../../../src/files/netcdf/errors.js";
import type { Variable } from "../../../../src/files/netcdf/model.js";
import { decodeNumber, readNumber } from "../../../../src/files/netcdf/numbers.js";
import { readValues } from "../../../../src/files/netcdf/render/values.js";
import { elementCount } from "../../../../src/files/netcdf/shape.js";
import type { ByteSource } from "../../../../src/files/netcdf/source/byte-source.js";

/** Values of a variable that are all read. Of longer ones only both ends are read, if that is enough. */
const MAX_VALUES = 4 << 20;
/** Values read at once if the variable is not chunked. */
const PIECE = 1 << 18;

/** @param variables by path */
export function fileValues(
  source: ByteSource,
  variables: ReadonlyMap<string, Variable>,
): ValueSource {
  const found = (path: string): Variable => {
    const variable = variables.get(path);
    if (variable === undefined) throw new NotReadableFormat(`${path} is not there.`);
    return variable;
  };
  return {
    each: async ({ path }, take, places = Number.POSITIVE_INFINITY) => {
      const variable = found(path);
      const step = stepOf(variable);
      const [length = 1, ...rest] = variable.shape;
      for (const place of evenly(Math.max(1, Math.ceil(length / step)), places)) {
        const from = place * step;
        const start = variable.shape.map((_, d) => (d === 0 ? from : 0));
        const shape = variable.shape.length === 0 ? [] : [Math.min(step, length - from), ...rest];
        take(read(source, variable, from, step), { start, shape });
      }
    },
    runs: async ({ path }) => {
      const variable = found(path);
      const [length = 1] = variable.shape;
      const step = stepOf(variable);
      if (elementCount(variable.shape) <= MAX_VALUES || length <= 4 * step) {
        return [read(source, variable, 0, length)];
      }
      const last = (Math.ceil(length / step) - 2) * step;
      return [read(source, variable, 0, 2 * step), read(source, variable, last, 2 * step)];
    },
  };
}

/** Rows of the first dimension read at once: a chunk's, if there are chunks. */
function stepOf({ storage, shape }: Variable): number {
  if (storage.kind === "chunked") return storage.chunks.chunk[0] ?? 1;
  return Math.max(1, Math.floor(PIECE / Math.max(1, elementCount(shape.slice(1)))));
}

/** Some rows of the first dimension, all other dimensions whole, as numbers. Fill values become NaN. */
function read(source: ByteSource, variable: Variable, from: number, count: number): Float64Array {
  const { shape, type } = variable;
  if (type.kind !== "plain" || !/^[<>|][fiu]\d/.test(type.dtype)) {
    throw new NotReadableFormat(`The values of ${variable.name} are no numbers.`);
  }
  const [length] = shape;
  const start = shape.map((_, d) => (d === 0 ? from : 0));
  const part = shape.map((all, d) => (d === 0 ? Math.min(count, (length ?? 1) - from) : all));
  if (elementCount(part) > 8 * MAX_VALUES) {
    throw new TooLarge(`${variable.name} has more values than are read here.`);
  }
  const tools = { table: source.chunkTable(variable), decoder: undefined };
  const bytes = readValues(source, variable, { start, shape: part }, tools);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = !type.dtype.startsWith(">");
  const kind = type.dtype.slice(1);
  const fill = variable.fill && Number(decodeNumber(type.dtype, variable.fill));
  return Float64Array.from({ length: elementCount(part) }, (_, i) => {
    const value = Number(readNumber(view, i * type.size, kind, little));
    return value === fill && fill !== 0 ? Number.NaN : value;
  });
}

/** Up to `max` indexes from 0 to count - 1, evenly spaced, with both ends. */
function evenly(count: number, max: number): number[] {
  const all = Array.from({ length: Math.min(count, max) }, (_, i) => i);
  if (count <= max) return all;
  return [...new Set(all.map((i) => Math.round((i * (count - 1)) / (max - 1))))];
}
