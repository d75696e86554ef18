/** The axes of a variable: what each index of a dimension stands for. */
import {
  isCoordinateVariable,
  isNumeric,
  namesIn,
  standardName,
  textOf,
  Unclear,
} from "../../../../src/files/cf/header.js";
import { isVertical } from "../../../../src/files/cf/level-type.js";
import { isLatitude, isLongitude, isTime } from "../../../../src/files/cf/roles.js";
import { calendarDate, readTimeUnits } from "../../../../src/files/cf/time-units.js";
import { unpack } from "../../../../src/files/cf/values.js";
import { shortestFloat32 } from "./float32-text.js";
import { referredTo } from "./header.js";
import type { Axis, Variable } from "./types.js";

/** Reads all stored values of a variable. */
type ReadAll = (variable: Variable, signal?: AbortSignal) => Promise<Float64Array>;

/** Longest dimension without a coordinate that gets labels: the cells of a grid are not an axis to slide along. */
const MAX_INDEXES = 100_000;

/** The coordinate of a dimension: its own variable, or one that the variable names in `coordinates`. */
export function coordinateOf(
  all: readonly Variable[],
  variable: Variable,
  dimension: string,
): Variable | undefined {
  const own = referredTo(all, variable, dimension);
  if (own !== undefined && isCoordinateVariable(own) && own.name === dimension && isNumeric(own)) {
    return own;
  }
  const named = namesIn(variable, "coordinates").flatMap(
    (name) => referredTo(all, variable, name) ?? [],
  );
  return named.find(
    (one) =>
      one.dimensions.length === 1 &&
      one.dimensions[0] === dimension &&
      isNumeric(one) &&
      (isTime(one) || isVertical(one)),
  );
}

function kindOf(coordinate: Variable): Axis["kind"] {
  if (isTime(coordinate)) return "time";
  if (isLatitude(coordinate)) return "latitude";
  if (isLongitude(coordinate)) return "longitude";
  return isVertical(coordinate) ? "level" : "other";
}

/** The kind of a dimension, without reading values. */
export function axisKind(
  all: readonly Variable[],
  variable: Variable,
  dimension: string,
): Axis["kind"] {
  const coordinate = coordinateOf(all, variable, dimension);
  return coordinate === undefined ? "other" : kindOf(coordinate);
}

/** One axis per dimension of a variable. Coordinates are read concurrently. */
export function axesOf(
  all: readonly Variable[],
  variable: Variable,
  read: ReadAll,
  signal?: AbortSignal,
): Promise<Axis[]> {
  return Promise.all(
    variable.dimensions.map(async (name, d): Promise<Axis> => {
      const length = variable.shape[d] ?? 0;
      const coordinate = coordinateOf(all, variable, name);
      if (coordinate === undefined) {
        const count = length > MAX_INDEXES ? 0 : length;
        const labels = Array.from({ length: count }, (_, i) => String(i));
        return { name, length, kind: "other", labels, title: name };
      }
      const values = unpack(await read(coordinate, signal), coordinate);
      const axis = { name, length, kind: kindOf(coordinate), values };
      return { ...axis, ...labelled(coordinate, values, axis.kind) };
    }),
  );
}

function labelled(
  coordinate: Variable,
  values: Float64Array,
  kind: Axis["kind"],
): Pick<Axis, "labels" | "title" | "calendar"> {
  const units = textOf(coordinate, "units");
  const what = textOf(coordinate, "long_name") || standardName(coordinate) || coordinate.name;
  if (kind === "time") {
    try {
      const read = readTimeUnits(units, textOf(coordinate, "calendar"));
      const labels = Array.from(values, (value) => calendarDate(value, read));
      return { labels, title: what, calendar: read.calendar.name };
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
    }
  }
  const labels = Array.from(
    values,
    (value) => `${shortNumber(value, coordinate.type)}${units && ` ${units}`}`,
  );
  return { labels, title: units === "" ? what : `${what} (${units})` };
}

/** A number in the digits that its type can hold. */
function shortNumber(value: number, type: string): string {
  const isSingle = /f(?:loat)?(?:4|32)$/.test(type);
  return String(isSingle ? shortestFloat32(value) : Number(value.toPrecision(12)));
}
