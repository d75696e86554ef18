/** A slice with everything needed to draw it and to find values in it. */
import { calendarWords } from "../../service/dates.js";
import { words } from "../../words/look.js";
import { timeAxisOf } from "../data/average.js";
import { UnreadableData } from "../data/failures.js";
import { withValues } from "../data/percentiles.js";
import type { Axis, Field, Geometry, Indexes, OpenDataset, Variable } from "../data/types.js";
import { colourIndex, type Range } from "../draw/colour-scale.js";
import { type Grid, OUTSIDE } from "../draw/grid.js";
import { MAX_POINTS, makeGrid, placeInFile } from "../draw/make-grid.js";
import { allVariables, indexesOf, otherAxes, unitsOf } from "../variables.js";
import { type Conversion, convertField, isSameUnits } from "./units.js";

export interface Slice {
  readonly variable: Variable;
  readonly axes: readonly Axis[];
  readonly geometry: Geometry;
  readonly indexes: Indexes;
  /** The time axis that the slice is a mean over. */
  readonly mean?: Axis | undefined;
  /** The subtrahend. */
  readonly minus?: Subtracted | undefined;
  /** To other units than those of the file. */
  readonly conversion?: Conversion | undefined;
  /** Undefined if there are more cells than are drawn. */
  readonly drawn: { readonly field: Field; readonly grid: Grid } | undefined;
}

/** The subtrahend of a difference: the same variable at another time, its mean over time, or that of other data. */
export type Minus =
  | { readonly kind: "time"; readonly index: number }
  | { readonly kind: "mean" }
  | { readonly kind: "data"; readonly of: Slices; readonly name: string };

interface Subtracted {
  /** Identifier of the data it is read from. */
  readonly id: string;
  readonly indexes: Indexes;
  readonly mean: Axis | undefined;
  /** For example "2000-01-16", "mean over time", or a file's name with a date. */
  readonly title: string;
}

export interface Wanted {
  readonly index: readonly string[];
  readonly isClose: boolean;
  readonly isMean: boolean;
  readonly minus: Minus | undefined;
}

/** Cells per direction that a sampled picture needs until the user zooms in. */
const COARSE = 1024;
const FINE = 2048;

/** Caches axes and geometries of one dataset, and the last grid, which the next slice usually shares. */
export class Slices {
  readonly #places = new Map<string, Promise<readonly [readonly Axis[], Geometry]>>();
  #former: { readonly key: string; readonly grid: Grid } | undefined;

  constructor(readonly dataset: OpenDataset) {}

  /** @throws as OpenDataset; UnreadableData if the data to subtract do not fit */
  async read(variable: Variable, wanted: Wanted, signal: AbortSignal): Promise<Slice> {
    const { index, isClose, isMean, minus } = wanted;
    const { path } = variable;
    const [axes, geometry] = await this.placesOf(path);
    signal.throwIfAborted();
    const indexes = indexesOf(axes, geometry, index);
    const mean = isMean ? timeAxisOf(otherAxes(axes, geometry)) : undefined;
    const slice = { variable, axes, geometry, indexes, mean };
    if (geometry.kind === "points" && geometry.count > MAX_POINTS) {
      return { ...slice, drawn: undefined };
    }
    const size = isClose ? FINE : COARSE;
    const own = await this.dataset.field(path, indexes, { size, mean: mean?.name }, signal);
    const subtracted = minus && (await this.#subtracted(slice, minus));
    const field =
      minus === undefined || subtracted === undefined
        ? own
        : difference(
            own,
            await (minus.kind === "data" ? minus.of.dataset : this.dataset).field(
              path,
              subtracted.indexes,
              { size, mean: subtracted.mean?.name },
              signal,
            ),
          );
    const { rows, columns, rowIndex, columnIndex } = field;
    const key = [path, rows, columns, rowIndex?.join(), columnIndex?.join()].join(" ");
    if (this.#former?.key !== key) this.#former = { key, grid: makeGrid(geometry, field) };
    return { ...slice, minus: subtracted, drawn: { field, grid: this.#former.grid } };
  }

  /** @throws UnreadableData */
  async #subtracted(
    { variable, axes, geometry, indexes, mean }: Omit<Slice, "drawn">,
    minus: Minus,
  ): Promise<Subtracted | undefined> {
    const { id } = this.dataset.header;
    if (minus.kind !== "data") {
      const time = timeAxisOf(otherAxes(axes, geometry));
      if (time === undefined) return undefined;
      if (minus.kind === "mean") return { id, indexes, mean: time, title: words.meanOf };
      const at = Math.min(minus.index, time.length - 1);
      const title = axisLabel(time, at);
      return { id, indexes: { ...indexes, [time.name]: at }, mean: undefined, title };
    }
    const { of, name } = minus;
    const { header } = of.dataset;
    const other = allVariables(header).find(({ path }) => path === variable.path);
    if (other === undefined) throw new UnreadableData(words.otherLacks(name, variable.path));
    if (!isSameUnits(variable, other)) {
      throw new UnreadableData(words.otherUnits(name, unitsOf(variable), unitsOf(other)));
    }
    const [others, place] = await of.placesOf(other.path);
    const fault = isSameGrid(geometry, place);
    if (fault !== undefined) throw new UnreadableData(words.otherGrid(name, fault));
    if (others.map((axis) => axis.name).join() !== axes.map((axis) => axis.name).join()) {
      throw new UnreadableData(words.otherGrid(name, words.otherDimensions));
    }
    const otherTime = timeAxisOf(otherAxes(others, place));
    const theirs = Object.fromEntries(
      otherAxes(others, place).map((axis) => {
        const own = axes.find((one) => one.name === axis.name);
        const label = own?.labels[indexes[axis.name] ?? 0];
        const found = label === undefined ? -1 : axis.labels.indexOf(label);
        const same = Math.min(indexes[axis.name] ?? 0, axis.length - 1);
        return [axis.name, found < 0 ? same : found];
      }),
    );
    const theirMean = mean === undefined ? undefined : otherTime;
    const at = { axes: others, geometry: place, indexes: theirs, mean: theirMean };
    const title = [name, sliceTitle(at)].filter((one) => one !== "").join(", ");
    return { id: header.id, indexes: theirs, mean: theirMean, title };
  }

  /** Cached, so that a slider needs one request only. Failed and aborted requests are repeated. */
  placesOf(path: string): Promise<readonly [readonly Axis[], Geometry]> {
    const known = this.#places.get(path);
    if (known !== undefined) return known;
    const loading = Promise.all([this.dataset.axes(path), this.dataset.geometry(path)]);
    this.#places.set(path, loading);
    loading.catch(() => this.#places.delete(path));
    return loading;
  }
}

/** The position of the slice along the dimensions that are not drawn, as text. */
export function sliceTitle({
  axes,
  geometry,
  indexes,
  mean,
}: Pick<Slice, "axes" | "geometry" | "indexes" | "mean">): string {
  return otherAxes(axes, geometry)
    .map((axis) =>
      axis.name === mean?.name
        ? words.meanOver(axisLabel(axis, 0), axisLabel(axis, axis.length - 1), axis.length)
        : axisLabel(axis, indexes[axis.name] ?? 0),
    )
    .join(", ");
}

/** @throws UnreadableData if one is sampled otherwise */
function difference(one: Field, other: Field): Field {
  const isSame =
    one.values.length === other.values.length &&
    one.rowIndex?.join() === other.rowIndex?.join() &&
    one.columnIndex?.join() === other.columnIndex?.join();
  if (!isSame) throw new UnreadableData(words.otherSampled);
  // Storing rounds to float32, as numpy does.
  const values = one.values.map((value, i) => value - (other.values[i] ?? Number.NaN));
  return withValues(one, values, one.units);
}

/** The same slice in other units. */
export const inUnits = (slice: Slice, conversion: Conversion | undefined): Slice =>
  conversion === undefined || slice.drawn === undefined
    ? slice
    : {
        ...slice,
        conversion,
        drawn: {
          ...slice.drawn,
          field: convertField(slice.drawn.field, conversion, slice.minus !== undefined),
        },
      };

/** Dates stand alone; other values get the name of their axis. */
export function axisLabel(axis: Axis, index: number): string {
  const label = axis.labels[index] ?? String(index);
  if (axis.kind === "time" && axis.values !== undefined) return calendarWords(label);
  return `${axis.name} ${label}`;
}

/** The cell of a series, by the indexes of all dimensions. */
export function indexesAt(slice: Slice, cell: number): Indexes {
  const { drawn, geometry, indexes } = slice;
  if (drawn === undefined || cell === OUTSIDE) return indexes;
  const { row, column } = placeInFile(cell, drawn.field);
  if (geometry.kind === "points") return { ...indexes, [geometry.dimension]: column };
  const { xDimension, yDimension } = geometry;
  return {
    ...indexes,
    ...(xDimension !== undefined && { [xDimension]: column }),
    ...(yDimension !== undefined && { [yDimension]: row }),
  };
}

/** The cell at one place. @param reach see Grid */
export const cellAt = (grid: Grid, x: number, y: number, reach: number): number =>
  grid.cellsAt(Float64Array.of(x), Float64Array.of(y), reach)[0] ?? OUTSIDE;

/** The value that a pixel shows; tests compare it with other programs. */
export interface Shown {
  readonly place: readonly [number, number];
  readonly cell: number;
  /** NaN if missing, or outside the cells. */
  readonly value: number;
  /** Red, green and blue; undefined if nothing is drawn. */
  readonly colour: readonly number[] | undefined;
}

export function shownAt(
  { field, grid }: { readonly field: Field; readonly grid: Grid },
  place: readonly [number, number],
  reach: number,
  range: Range | undefined,
  table: Uint8Array,
): Shown {
  const cell = cellAt(grid, place[0], place[1], reach);
  const value = cell === OUTSIDE ? Number.NaN : (field.values[cell] ?? Number.NaN);
  if (Number.isNaN(value) || range === undefined) return { place, cell, value, colour: undefined };
  const at = 3 * colourIndex(value, range, table.length / 3);
  return { place, cell, value, colour: [...table.subarray(at, at + 3)] };
}

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
