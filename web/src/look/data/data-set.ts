/** One dataset in the worker: its variables and slices. */

import { isNumeric, textOf } from "../../../../src/files/cf/header.js";
import { degreesOf, unpack } from "../../../../src/files/cf/values.js";
import { elementCount } from "../../../../src/files/netcdf/shape.js";
import {
  indexesOf,
  type Span,
  sampledRange,
  singleIndex,
} from "../../../../src/files/zarr/slice/selection.js";
import { allVariables } from "../variables.js";
import { Arrays, type Slice } from "./arrays.js";
import { canAverage, Mean } from "./average.js";
import { axesOf } from "./axes.js";
import { UnreadableData } from "./failures.js";
import { consolidatedDocuments, type Documents, headerOf } from "./header.js";
import { type Layout, layoutOf } from "./layout.js";
import { withValues } from "./percentiles.js";
import type { Transport } from "./transport.js";
import type {
  Axis,
  Dataset,
  Field,
  FieldOptions,
  Geometry,
  Indexes,
  Series,
  Variable,
} from "./types.js";

/** Default rows and columns of a slice sampled by the service. */
const USUAL_LENGTH = 1024;
/** Points drawn at most. */
const MAX_POINTS = 1 << 20;
/** Slices of a mean that are read at once. */
const AT_ONCE = 6;
/** Grids with more cells have their coordinates sampled. */
const MAX_CELLS = 1 << 21;

/** The drawn dimensions of a layout, slowest first. */
const drawn = (layout: Layout): number[] =>
  [layout.kind === "points" ? undefined : layout.y, layout.x].flatMap((d) => d ?? []);

export class DataSet {
  readonly header: Dataset;
  readonly #all: readonly Variable[];
  readonly #arrays: Arrays;

  private constructor(id: string, documents: Documents, transport: Transport) {
    this.header = headerOf(id, documents);
    this.#all = allVariables(this.header);
    this.#arrays = new Arrays(id, documents, transport);
  }

  /** @throws WorkerError, UnreadableData */
  static async open(id: string, transport: Transport, signal?: AbortSignal): Promise<DataSet> {
    const read = (key: string, mayBeAbsent: boolean): Promise<Uint8Array | undefined> =>
      transport.bytes(`data-portal/zarr/${id}.zarr/${key}`, signal, {}, mayBeAbsent);
    const older = await read(".zmetadata", true);
    const bytes = older ?? (await read("zarr.json", false));
    const text = new TextDecoder().decode(bytes);
    return new DataSet(id, consolidatedDocuments(text, older === undefined ? 3 : 2), transport);
  }

  /** @throws UnreadableData */
  #variable(path: string): Variable {
    const found = this.#all.find((variable) => variable.path === path);
    if (found === undefined)
      throw new UnreadableData(`There is no variable ${path} in these data.`);
    return found;
  }

  readonly #coordinate = (variable: Variable, signal?: AbortSignal): Promise<Float64Array> =>
    this.#arrays.coordinate(variable, signal);

  axes(path: string, signal?: AbortSignal): Promise<Axis[]> {
    return axesOf(this.#all, this.#variable(path), this.#coordinate, signal);
  }

  async geometry(path: string, signal?: AbortSignal): Promise<Geometry> {
    const variable = this.#variable(path);
    const { dimensions, shape } = variable;
    const layout = layoutOf(this.#all, variable);
    const { kind } = layout;
    const [x, y] = [layout.x, layout.kind === "points" ? undefined : layout.y];
    const names = {
      ...(x !== undefined && { xDimension: dimensions[x] ?? "" }),
      ...(y !== undefined && { yDimension: dimensions[y] ?? "" }),
    };
    const columns = x === undefined ? 1 : (shape[x] ?? 0);
    const rows = y === undefined ? 1 : (shape[y] ?? 0);
    if (kind === "none") return { kind, rows, columns, ...names };
    const isSampled = await this.#isSampled(layout);
    const [longitudes, latitudes] = await Promise.all(
      [layout.longitude, layout.latitude].map((one) => this.#degrees(one, isSampled, signal)),
    );
    if (longitudes === undefined || latitudes === undefined) throw new Error("nothing was read");
    const places = { longitudes, latitudes };
    const { xDimension = "", yDimension = "" } = names;
    if (kind === "regular") return { kind, ...places, xDimension, yDimension };
    if (kind === "points") return { kind, ...places, count: columns, dimension: xDimension };
    const max = isSampled ? USUAL_LENGTH : Number.POSITIVE_INFINITY;
    const size = { rows: Math.min(rows, max), columns: Math.min(columns, max) };
    return { kind, ...places, xDimension, yDimension, ...size };
  }

  /** Whether the coordinates of a curvilinear grid are sampled: both, and all its fields at the same cells. */
  async #isSampled(layout: Layout): Promise<boolean> {
    if (layout.kind !== "curvilinear") return false;
    const { longitude, latitude } = layout;
    if (elementCount(latitude.shape) <= MAX_CELLS) return false;
    const whole = latitude.shape.map((length) => sampledRange(0, length));
    const both = [longitude, latitude].map((one) => this.#arrays.isSampled(one, whole));
    return (await Promise.all(both)).includes(true);
  }

  async #degrees(
    variable: Variable,
    isSampled: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Float64Array> {
    const factor = degreesOf(variable);
    const { shape } = variable;
    const count = elementCount(shape);
    const isPoints = shape.length === 1;
    if (count <= (isPoints ? MAX_POINTS : MAX_CELLS)) {
      const stored = await this.#coordinate(variable, signal);
      return unpack(stored, variable).map((value) => value * factor);
    }
    const max = isPoints ? MAX_POINTS : USUAL_LENGTH;
    const whole = shape.map((length) => sampledRange(0, length));
    const order = [...shape.keys()];
    const slice = await this.#arrays.slice(variable, whole, order, max, signal, isSampled);
    return Float64Array.from(slice.values, (value) => value * factor);
  }

  async field(
    path: string,
    indexes: Indexes,
    { size = USUAL_LENGTH, mean }: FieldOptions,
    signal?: AbortSignal,
  ): Promise<Field> {
    const variable = this.#variable(path);
    const layout = layoutOf(this.#all, variable);
    const order = drawn(layout);
    const isSampled = await this.#isSampled(layout);
    const isLine = order.length < 2;
    const max = isLine ? MAX_POINTS : Math.min(2048, isSampled ? USUAL_LENGTH : size);
    const read = (at: Indexes): Promise<Slice> =>
      this.#slice(variable, at, order, signal, max, isSampled);
    const slice =
      mean === undefined
        ? await read(indexes)
        : await this.#mean(variable, indexes, order, mean, read);
    const [row, column] = isLine ? [undefined, order[0]] : order;
    const spanOf = (d: number | undefined): Span | undefined =>
      d === undefined ? undefined : slice.selection[d];
    const indexOf = (span: Span | undefined): Uint32Array | undefined =>
      span === undefined || span.count === span.length ? undefined : indexesOf(span);
    const [rowIndex, columnIndex] = [indexOf(spanOf(row)), indexOf(spanOf(column))];
    const places = {
      rows: spanOf(row)?.count ?? 1,
      columns: spanOf(column)?.count ?? 1,
      ...(rowIndex && { rowIndex }),
      ...(columnIndex && { columnIndex }),
      source: slice.source,
    };
    return withValues(places, slice.values, textOf(variable, "units"));
  }

  /** @throws UnreadableData if the mean would read too much */
  async #mean(
    variable: Variable,
    indexes: Indexes,
    order: readonly number[],
    dimension: string,
    read: (at: Indexes) => Promise<Slice>,
  ): Promise<Slice> {
    const over = variable.dimensions.indexOf(dimension);
    const indexed = variable.dimensions.filter((_, d) => !order.includes(d));
    if (order.includes(over) || !canAverage(variable, dimension, indexed)) {
      throw new UnreadableData(
        `The mean over ${dimension} would read too much of ${variable.name} for this page. Use the xarray code.`,
      );
    }
    const length = variable.shape[over] ?? 0;
    const at = (i: number): Promise<Slice> => read({ ...indexes, [dimension]: i });
    const first = await at(0);
    const mean = new Mean(first.values.length);
    mean.add(first.values);
    for (let i = 1; i < length; i += AT_ONCE) {
      const places = Array.from({ length: Math.min(AT_ONCE, length - i) }, (_, j) => i + j);
      for (const { values } of await Promise.all(places.map(at))) mean.add(values);
    }
    return { ...first, values: mean.values() };
  }

  #slice(
    variable: Variable,
    indexes: Indexes,
    kept: readonly number[],
    signal: AbortSignal | undefined,
    max: number,
    isSampled = false,
  ): Promise<Slice> {
    if (!isNumeric(variable) && !/^(?:\|b1|bool)$/.test(variable.type)) {
      throw new UnreadableData(`${variable.name} has no numbers that could be drawn.`);
    }
    const selection = variable.dimensions.map((name, d) => {
      const length = variable.shape[d] ?? 0;
      if (kept.includes(d)) return sampledRange(0, length);
      const index = Object.hasOwn(indexes, name) ? (indexes[name] ?? 0) : 0;
      if (!Number.isInteger(index) || index < 0 || index >= length) {
        throw new UnreadableData(`${name} has no index ${index}: it has ${length} of them.`);
      }
      return singleIndex(index);
    });
    return this.#arrays.slice(variable, selection, kept, max, signal, isSampled);
  }

  async series(
    path: string,
    indexes: Indexes,
    along: string,
    signal?: AbortSignal,
  ): Promise<Series> {
    const variable = this.#variable(path);
    const d = variable.dimensions.indexOf(along);
    const [axes, slice] = await Promise.all([
      this.axes(path, signal),
      this.#slice(variable, indexes, [d], signal, MAX_POINTS),
    ]);
    const axis = axes[d];
    const span = slice.selection[d];
    if (axis === undefined || span === undefined) throw new Error("nothing was read");
    const places = indexesOf(span);
    return {
      axis,
      labels: Array.from(places, (at) => axis.labels[at] ?? String(at)),
      values: slice.values,
      units: textOf(variable, "units"),
    };
  }
}
