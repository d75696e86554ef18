/** Whether two fields lie on the same grid, so that their values can be subtracted cell by cell. Pure. */
import { words } from "../../../words/look.js";
import type { Geometry } from "../../data/types.js";

/** Degrees by which coordinates may differ: float32 and float64 of the same grid. */
const TOLERANCE = 1e-4;

const isClose = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length &&
  a.every((value, i) => {
    const other = b[i] ?? Number.NaN;
    return Math.abs(value - other) <= TOLERANCE || (Number.isNaN(value) && Number.isNaN(other));
  });

const sizeOf = (geometry: Geometry): string => {
  if (geometry.kind === "points") return `${geometry.count}`;
  const [rows, columns] =
    geometry.kind === "regular"
      ? [geometry.latitudes.length, geometry.longitudes.length]
      : [geometry.rows, geometry.columns];
  return `${rows} × ${columns}`;
};

/** @returns undefined if it is the same; otherwise how they differ */
export function isSameGrid(one: Geometry, other: Geometry): string | undefined {
  const [own, their] = [sizeOf(one), sizeOf(other)];
  if (one.kind !== other.kind || own !== their) return words.gridSizes(own, their);
  if (one.kind === "none" || other.kind === "none") return undefined;
  return isClose(one.longitudes, other.longitudes) && isClose(one.latitudes, other.latitudes)
    ? undefined
    : words.gridPlaces;
}
