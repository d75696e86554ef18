/** Means over the cells of a slice. Only of grids whose cells have areas that are known: rows of equal latitude. Pure. */
import type { Field, Geometry, Series } from "../data/types.js";

const RADIANS = Math.PI / 180;

/** Which cells count. */
export type Inside = (longitude: number, latitude: number) => boolean;

/** Whether areas are known: a latitude for each row, and no cells left out by sampling. */
export const hasAreas = (
  geometry: Geometry,
  { rowIndex, columnIndex }: Pick<Field, "rowIndex" | "columnIndex">,
): geometry is Extract<Geometry, { kind: "regular" }> =>
  geometry.kind === "regular" && rowIndex === undefined && columnIndex === undefined;

/**
 * The mean weighted by the cosine of the latitude, of cells with a value; as xarray's
 * `field.weighted(np.cos(np.deg2rad(field.lat))).mean()`, in double precision.
 *
 * @returns NaN if no cell counts
 */
export function areaMean(
  { longitudes, latitudes }: Extract<Geometry, { kind: "regular" }>,
  { values, columns }: Pick<Field, "values" | "columns">,
  isInside: Inside = () => true,
): number {
  let [sum, weights] = [0, 0];
  for (const [row, latitude] of latitudes.entries()) {
    const weight = Math.cos(latitude * RADIANS);
    for (let column = 0; column < columns; column++) {
      const value = values[row * columns + column] ?? Number.NaN;
      if (Number.isNaN(value) || !isInside(longitudes[column] ?? 0, latitude)) continue;
      sum += weight * value;
      weights += weight;
    }
  }
  return weights > 0 ? sum / weights : Number.NaN;
}

/** The mean along each row, from south to north; NaN if a row has no value. As xarray's `field.mean("lon")`. */
export function zonalMean(
  { latitudes, yDimension }: Extract<Geometry, { kind: "regular" }>,
  { values, columns, units }: Pick<Field, "values" | "columns" | "units">,
): Series {
  const order = [...latitudes.keys()].sort((a, b) => (latitudes[a] ?? 0) - (latitudes[b] ?? 0));
  const means = order.map((row) => {
    const some = values
      .subarray(row * columns, (row + 1) * columns)
      .filter((value) => !Number.isNaN(value));
    return some.length === 0 ? Number.NaN : some.reduce((a, b) => a + b, 0) / some.length;
  });
  const sorted = Float64Array.from(order, (row) => latitudes[row] ?? 0);
  const labels = Array.from(sorted, (latitude) => String(Number(latitude.toPrecision(7))));
  return {
    labels,
    axis: {
      name: yDimension,
      length: labels.length,
      kind: "latitude",
      values: sorted,
      labels,
      title: yDimension,
    },
    values: Float32Array.from(means),
    units,
  };
}
