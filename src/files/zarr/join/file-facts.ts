/** Reads what joining files must know of one of them: the forms of its variables, and the values of its coordinates. */
import { createHash } from "node:crypto";
import { isTimeUnits } from "../../cf/time-units.js";
import { chunkGrid, chunkPlace } from "../../netcdf/chunk-table.js";
import { NotReadableFormat } from "../../netcdf/errors.js";
import type { Attribute, ElementType, Group, Variable } from "../../netcdf/model.js";
import { appliedFilters, isNative } from "../../netcdf/render/filters.js";
import { type Box, intersect } from "../../netcdf/render/region.js";
import { readValues } from "../../netcdf/render/values.js";
import { elementCount } from "../../netcdf/shape.js";
import type { Source } from "../../netcdf/source/source.js";
import { planArray, type ServedFill, storedChunking } from "../metadata/array-plan.js";
import { blockShape } from "../metadata/chunk-shape.js";
import type { Codec } from "../metadata/codecs.js";
import { swapped } from "./convert.js";

/** How a variable is described and stored in a file, without the places of its values. */
export interface VariableForm {
  readonly name: string;
  readonly dimensions: readonly string[];
  /** 0 along the joining axis. */
  readonly shape: readonly number[];
  readonly attributes: readonly Attribute[];
  readonly type: ElementType;
  /** Shape of a stored chunk; undefined if the values lie in one piece, or in one per record. */
  readonly chunk: readonly number[] | undefined;
  /** Codecs by which clients decode stored values; undefined if they cannot. */
  readonly codecs: readonly Codec[] | undefined;
  /** Whether chunks that reach over the edge of the array are stored without the filters. */
  readonly hasPlainEdges: boolean;
  /** Whether stored chunks end in a checksum. */
  readonly isChecked: boolean;
  /** Whether values in one piece can be cut by ranges of bytes. */
  readonly isPiece: boolean;
  /** The fill value that unwritten chunks have; undefined if they have another than the attribute says, or none is said. */
  readonly fill: ServedFill | undefined;
}

interface JoiningAxis {
  /** Its dimension, and the name of its coordinate variable. */
  readonly name: string;
  readonly length: number;
}

export interface FileFacts {
  /** Undefined if the file cannot be joined along time. */
  readonly axis: JoiningAxis | undefined;
  /** Why it cannot be joined, as a predicate of the file; undefined if it can. */
  readonly refusal: string | undefined;
  readonly attributes: readonly Attribute[];
  readonly forms: readonly VariableForm[];
  /** Omitted members of the file, one sentence each. */
  readonly leftOut: readonly string[];
  /** Values of small variables along the axis, by name. */
  readonly held: ReadonlyMap<string, Uint8Array>;
  /** Digests of the values of variables without the axis, by name. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Values at one place of the axis up to which a variable is held in memory. */
const MAX_HELD_VALUES = 4;
/** Bytes of all variables of one file that are held in memory. */
const MAX_HELD_BYTES = 64 << 20;
/** Bytes of one reading for a digest. */
const BLOCK = 4 << 20;

/** Whether a variable is a coordinate with times, along which files are joined. */
const isTimeAxis = ({ name, dimensions, attributes, type }: Variable): boolean =>
  dimensions.length === 1 &&
  dimensions[0] === name &&
  type.kind === "plain" &&
  attributes.some(
    ({ name: key, value }) =>
      key === "units" && value.kind === "text" && isTimeUnits(value.value.trim()),
  );

/** @param times the coordinates with times */
function refusalOf({ variables, groups }: Group, times: readonly Variable[]): string | undefined {
  const [axis, ...others] = times;
  if (axis === undefined) return "has no coordinate variable with times to join along";
  if (others.length > 0) {
    return `has several time axes: ${times.map(({ name }) => name).join(", ")}`;
  }
  if (groups.some(hasVariables)) return "has variables in groups, which are not joined";
  const twice = variables.find(
    ({ dimensions }) => dimensions.filter((one) => one === axis.name).length > 1,
  );
  return twice && `has ${axis.name} twice among the dimensions of ${twice.name}`;
}

/** Whether the values of a variable along the axis are held in memory. */
export function isHeld(
  { dimensions, shape, type }: Pick<VariableForm, "dimensions" | "shape" | "type">,
  axis: string,
): boolean {
  if (type.kind !== "plain" || !dimensions.includes(axis)) return false;
  return elementCount(shape.filter((_, d) => dimensions[d] !== axis)) <= MAX_HELD_VALUES;
}

function formOf(variable: Variable, axis: string | undefined): VariableForm {
  const { name, dimensions, attributes, type, storage } = variable;
  const isChunked = storage.kind === "chunked";
  const passing = isChunked ? storedChunking(variable, storage) : undefined;
  return {
    name,
    dimensions,
    shape: variable.shape.map((length, d) => (dimensions[d] === axis ? 0 : length)),
    attributes,
    type,
    chunk: isChunked ? storage.chunks.chunk : undefined,
    codecs: isChunked ? passing?.codecs : [],
    hasPlainEdges: isChunked && storage.chunks.plainEdges && storage.chunks.filterCount > 0,
    isChecked: passing?.isChecked ?? false,
    isPiece: isPiece(variable),
    fill: planArray(name, variable).fill,
  };
}

function isPiece({ storage, stored, storedShape, type }: Variable): boolean {
  if (stored.kind !== "as-is" || type.kind === "text") return false;
  if (storage.kind === "contiguous") return true;
  const record = elementCount(storedShape.slice(1)) * stored.size;
  return storage.kind === "records" && storage.stride === record;
}

/** @throws ReadingError and file errors */
export function readFileFacts(source: Source): FileFacts {
  const root = source.readModel();
  const times = root.variables.filter(isTimeAxis);
  const [axis] = times;
  let refusal = refusalOf(root, times);
  const held = new Map<string, Uint8Array>();
  const digests = new Map<string, string>();
  let heldBytes = 0;
  for (const variable of refusal === undefined ? root.variables : []) {
    const { name, dimensions, shape, stored } = variable;
    const isAlong = axis !== undefined && dimensions.includes(axis.name);
    if (isAlong && !isHeld(variable, axis.name)) continue;
    if (isAlong) heldBytes += elementCount(shape) * stored.size;
    if (isAlong && heldBytes > MAX_HELD_BYTES) {
      refusal ??= `has more values of ${name} than are held in memory`;
      continue;
    }
    const read = reading(source, variable);
    if (isAlong) held.set(name, read({ start: shape.map(() => 0), shape }));
    else digests.set(name, digest(variable, read));
  }
  return {
    axis: axis && { name: axis.name, length: axis.shape[0] ?? 0 },
    refusal,
    attributes: root.attributes,
    forms: root.variables.map((variable) => formOf(variable, axis?.name)),
    leftOut: root.leftOut.map(({ name, reason }) => `${name}: ${reason}`),
    held,
    digests,
  };
}

const hasVariables = ({ variables, groups }: Group): boolean =>
  variables.length > 0 || groups.some(hasVariables);

/** Reads boxes of a variable. Its chunk table is read once. */
function reading(source: Source, variable: Variable): (box: Box) => Uint8Array {
  const { storage } = variable;
  const table = source.chunkTable(variable);
  if (storage.kind === "chunked" && !isNative(appliedFilters(storage.filters, 0))) {
    // A decoder library may crash the process, and coordinates are not stored in this way.
    throw new NotReadableFormat(
      `${variable.name} is stored with a filter that coordinates may not have here.`,
    );
  }
  return (box) =>
    elementCount(box.shape) === 0
      ? new Uint8Array(0)
      : readValues(source, variable, box, { table, decoder: undefined });
}

/** A digest of all values in row-major order of equal blocks, whatever chunks and order of bytes they are stored in. */
function digest(variable: Variable, read: (box: Box) => Uint8Array): string {
  const { shape, stored, type } = variable;
  const isBig = type.kind === "plain" && /^>[fiu]/.test(type.dtype);
  const little = isBig ? { ...type, dtype: `<${type.dtype.slice(1)}` } : type;
  const hash = createHash("sha256").update(JSON.stringify([shape, little]));
  const block = blockShape(shape, Math.max(1, Math.floor(BLOCK / Math.max(1, stored.size))));
  const whole: Box = { start: shape.map(() => 0), shape };
  const grid = chunkGrid(shape, block);
  for (let n = 0; n < elementCount(grid); n++) {
    const place = chunkPlace(n, grid);
    const box: Box = { start: place.map((index, d) => index * (block[d] ?? 1)), shape: block };
    const inside = shape.length === 0 ? box : intersect(box, whole);
    if (inside === undefined) continue;
    hash.update(isBig ? swapped(read(inside), stored.size) : read(inside));
  }
  return hash.digest("base64url");
}
