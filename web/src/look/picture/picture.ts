/** A slice with everything needed to draw it and to find values in it. */

import type { Axis, Field, Geometry, Indexes, OpenDataset, Variable } from "../data/types.js";
import { colourIndex, type Range } from "../draw/colour-scale.js";
import { type Colours, colourTable } from "../draw/colour-tables.js";
import { type Grid, OUTSIDE } from "../draw/grid.js";
import { MAX_POINTS, makeGrid, placeInFile } from "../draw/make-grid.js";
import { indexesOf, otherAxes } from "../variables.js";

export interface Slice {
  readonly variable: Variable;
  readonly axes: readonly Axis[];
  readonly geometry: Geometry;
  readonly indexes: Indexes;
  /** Undefined if there are more cells than are drawn. */
  readonly drawn: { readonly field: Field; readonly grid: Grid } | undefined;
}

/** Cells per direction that a sampled picture needs until the user zooms in. */
const COARSE = 1024;
const FINE = 2048;

/** Caches axes and geometries of one dataset, and the last grid, which the next slice usually shares. */
export class Slices {
  readonly #places = new Map<string, Promise<readonly [readonly Axis[], Geometry]>>();
  #former: { readonly key: string; readonly grid: Grid } | undefined;

  constructor(readonly dataset: OpenDataset) {}

  /** @throws as OpenDataset */
  async read(
    variable: Variable,
    index: readonly string[],
    isClose: boolean,
    signal: AbortSignal,
  ): Promise<Slice> {
    const { path } = variable;
    const [axes, geometry] = await this.#placesOf(path);
    signal.throwIfAborted();
    const indexes = indexesOf(axes, geometry, index);
    const slice = { variable, axes, geometry, indexes };
    if (geometry.kind === "points" && geometry.count > MAX_POINTS) {
      return { ...slice, drawn: undefined };
    }
    const max = isClose ? FINE : COARSE;
    const field = await this.dataset.field(path, indexes, { signal, width: max, height: max });
    const { rows, columns, rowIndex, columnIndex } = field;
    const key = [path, rows, columns, rowIndex?.join(), columnIndex?.join()].join(" ");
    if (this.#former?.key !== key) this.#former = { key, grid: makeGrid(geometry, field) };
    return { ...slice, drawn: { field, grid: this.#former.grid } };
  }

  /** Cached, so that a slider needs one request only. Failed and aborted requests are repeated. */
  #placesOf(path: string): Promise<readonly [readonly Axis[], Geometry]> {
    const known = this.#places.get(path);
    if (known !== undefined) return known;
    const loading = Promise.all([this.dataset.axes(path), this.dataset.geometry(path)]);
    this.#places.set(path, loading);
    loading.catch(() => this.#places.delete(path));
    return loading;
  }
}

/** The position of the slice along the dimensions that are not drawn, as text. */
export function sliceTitle({ axes, geometry, indexes }: Slice): string {
  return otherAxes(axes, geometry)
    .map((axis) => axisLabel(axis, indexes[axis.name] ?? 0))
    .join(", ");
}

/** Dates stand alone; other values get the name of their axis. */
export function axisLabel(axis: Axis, index: number): string {
  const label = axis.labels[index] ?? String(index);
  if (axis.kind === "time" && axis.values !== undefined) return label.replace("T00:00:00", "");
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

/** What a pixel shows; tests compare it with other programs. */
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
  colours: Colours,
): Shown {
  const cell = cellAt(grid, place[0], place[1], reach);
  const value = cell === OUTSIDE ? Number.NaN : (field.values[cell] ?? Number.NaN);
  if (Number.isNaN(value) || range === undefined) return { place, cell, value, colour: undefined };
  const at = 3 * colourIndex(value, range);
  return { place, cell, value, colour: [...colourTable(colours).subarray(at, at + 3)] };
}
