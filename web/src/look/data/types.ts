/**
 * A data set as the first look has it: its header, and what is drawn of it. Read in a worker, used in the page; all of it
 * can be posted from the one to the other, but the functions of `OpenDataset` and `Field`, which the page's side adds.
 */
import type { AttributeValue } from "../../../../src/files/cf/header.js";

/** By name, in the order of the file; a map, as an attribute may be named anything. */
export type Attributes = ReadonlyMap<string, AttributeValue>;

export interface Dimension {
  readonly name: string;
  readonly length: number;
  /** Only where the stream tells. */
  readonly unlimited?: boolean;
}

export interface Variable {
  readonly name: string;
  /** Groups and name, joined by "/": by this a variable is asked for. */
  readonly path: string;
  /** As zarr names it, such as `<f4` or `float32`. */
  readonly type: string;
  /** Names, from the slowest to the fastest. */
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  /** Shape of a stored chunk. */
  readonly chunks: readonly number[];
  /** Bytes of a stored chunk, decoded. */
  readonly chunkBytes: number;
  readonly attributes: Attributes;
  readonly role: "data" | "coordinate" | "bounds" | "other";
}

/** A group, and what lies in it; the data set itself is the group of path "". */
export interface Group {
  readonly name: string;
  readonly path: string;
  readonly attributes: Attributes;
  /** Those that its own variables have, and that no group above it has. */
  readonly dimensions: readonly Dimension[];
  readonly variables: readonly Variable[];
  readonly groups: readonly Group[];
}

export interface Dataset extends Group {
  readonly id: string;
}

export interface Axis {
  /** Of the dimension. */
  readonly name: string;
  readonly length: number;
  readonly kind: "time" | "level" | "latitude" | "longitude" | "other";
  /** Of the coordinate, unpacked; none where the dimension has no coordinate of numbers. */
  readonly values?: Float64Array;
  /**
   * What is shown of each index: a calendar date as cftime's isoformat writes it, or a value with its units; the index itself
   * where there is no coordinate. None of more than 100,000 indexes without a coordinate.
   */
  readonly labels: readonly string[];
  /** Of the coordinate: "standard name (units)", as far as it has them. */
  readonly title: string;
  /** CF's name of the calendar, of a time only. */
  readonly calendar?: string;
}

/** Where the values of a variable lie. Longitudes and latitudes are in degrees, as they are in the file: also 0 to 360. */
export type Geometry =
  | {
      readonly kind: "regular";
      /** In the order of the file: latitudes may descend. */
      readonly longitudes: Float64Array;
      readonly latitudes: Float64Array;
      readonly xDimension: string;
      readonly yDimension: string;
    }
  /** Rotated ones, too. */
  | {
      readonly kind: "curvilinear";
      /** Row by row; NaN where the grid has no cell. */
      readonly longitudes: Float64Array;
      readonly latitudes: Float64Array;
      readonly rows: number;
      readonly columns: number;
      /** Which row and column of the file each one is, of a grid so large that it is sampled: as its fields are. */
      readonly rowIndex?: Uint32Array;
      readonly columnIndex?: Uint32Array;
      readonly xDimension: string;
      readonly yDimension: string;
    }
  /** One place for each cell: unstructured grids, stations. */
  | {
      readonly kind: "points";
      readonly longitudes: Float64Array;
      readonly latitudes: Float64Array;
      readonly count: number;
      /** Which cell of the file each one is, of more than 1,048,576: as its fields have it. */
      readonly columnIndex?: Uint32Array;
      /** Of the cells. */
      readonly dimension: string;
    }
  /** No places are known: drawn as a matrix of the last two dimensions, or as a line of one. */
  | {
      readonly kind: "none";
      /** None where the variable has no dimension. */
      readonly xDimension?: string;
      readonly yDimension?: string;
      readonly rows: number;
      readonly columns: number;
    };

/** A slice as the worker posts it. */
export interface FieldData {
  /** Unpacked, NaN where a value is missing; row by row, or cell by cell. */
  readonly values: Float32Array;
  /** 1 for points. */
  readonly rows: number;
  readonly columns: number;
  /** Which row and which column of the file each one is, where not all of them are there; of points, columnIndex. */
  readonly rowIndex?: Uint32Array;
  readonly columnIndex?: Uint32Array;
  /** NaN where all values are missing. */
  readonly minimum: number;
  readonly maximum: number;
  /** All values that are no NaN, in ascending order. */
  readonly sorted: Float32Array;
  readonly units: string;
  /** Whether the stored chunks were read, or the service has sampled them. */
  readonly source: "chunks" | "preview";
}

export interface Field extends FieldData {
  /** As np.nanpercentile tells it (linear); NaN where all values are missing. @param p 0 to 100 */
  percentiles(p: readonly number[]): number[];
}

export interface Series {
  /** Of the axis along which it goes. */
  readonly labels: readonly string[];
  readonly axis: Axis;
  readonly values: Float32Array;
  readonly units: string;
}

/** Index along each dimension that is not drawn, or of a cell, by the dimension's name; 0 where one is left out. */
export type Indexes = Readonly<Record<string, number>>;

export interface FieldOptions {
  readonly signal?: AbortSignal;
  /** More columns and rows are not needed, where the service makes the slice: 1024 without, 2048 at most; not of points. */
  readonly width?: number;
  readonly height?: number;
}

/**
 * An open data set, as `web/src/look/dataset.ts` hands it out:
 * `openDataset(id: string, signal?: AbortSignal): Promise<OpenDataset>`.
 *
 * All of it throws `Refused` and `Unreachable` of web/src/service/request.ts, `UnreadableData` where the data themselves
 * cannot be read (a sentence for the user), and AbortError. A field that is asked for ends the one before it of the same
 * data set that is still being read, with AbortError; so does a series.
 */
export interface OpenDataset {
  readonly header: Dataset;
  /** One for each dimension of the variable, in its order. @param path of the variable */
  axes(path: string, signal?: AbortSignal): Promise<readonly Axis[]>;
  geometry(path: string, signal?: AbortSignal): Promise<Geometry>;
  field(path: string, indexes: Indexes, options?: FieldOptions): Promise<Field>;
  /**
   * Along the time of the variable, or where it has none along the dimension that is named.
   *
   * @param along name of a dimension
   */
  series(path: string, indexes: Indexes, signal?: AbortSignal, along?: string): Promise<Series>;
  /** Ends what is under way, and the worker. */
  close(): void;
}
