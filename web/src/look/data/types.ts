/**
 * A dataset as the first look uses it. Read in a worker, used in the page; everything but the functions of
 * `OpenDataset` can be posted.
 */
import type { Variable as HeaderVariable } from "../../../../src/files/cf/header.js";

/** By name, in file order. */
export type Attributes = HeaderVariable["attributes"];

interface Dimension {
  readonly name: string;
  readonly length: number;
  /** Present only if the stream tells. */
  readonly unlimited?: boolean;
}

/** Its path identifies it. */
export interface Variable extends HeaderVariable {
  readonly chunks: readonly number[];
  /** Decoded bytes of a stored chunk. */
  readonly chunkBytes: number;
  readonly role: "data" | "coordinate" | "bounds" | "other";
}

/** The root group has path "". */
export interface Group {
  readonly name: string;
  readonly path: string;
  readonly attributes: Attributes;
  /** Dimensions of its own variables that no parent group has. */
  readonly dimensions: readonly Dimension[];
  readonly variables: readonly Variable[];
  readonly groups: readonly Group[];
}

export interface Dataset extends Group {
  readonly id: string;
}

export interface Axis {
  /** Name of the dimension. */
  readonly name: string;
  readonly length: number;
  readonly kind: "time" | "level" | "latitude" | "longitude" | "other";
  /** Unpacked; absent if the dimension has no numeric coordinate. */
  readonly values?: Float64Array;
  /**
   * Label of each index: a calendar date as cftime's isoformat writes it, a value with units, or the index. Empty for
   * more than 100,000 indexes without a coordinate.
   */
  readonly labels: readonly string[];
  /** "standard name (units)" of the coordinate, as far as known. */
  readonly title: string;
  /** CF calendar, for times only. */
  readonly calendar?: string;
}

/**
 * The places of a variable's values. Longitudes and latitudes are in degrees, in the range of the file (maybe 0 to
 * 360).
 */
export type Geometry =
  | {
      readonly kind: "regular";
      /** In file order: latitudes may descend. */
      readonly longitudes: Float64Array;
      readonly latitudes: Float64Array;
      readonly xDimension: string;
      readonly yDimension: string;
    }
  /** Includes rotated grids. */
  | {
      readonly kind: "curvilinear";
      /** Row by row; NaN if the grid has no cell. */
      readonly longitudes: Float64Array;
      readonly latitudes: Float64Array;
      /** Fewer than in the file if the places are sampled. All fields then have the same cells. */
      readonly rows: number;
      readonly columns: number;
      readonly xDimension: string;
      readonly yDimension: string;
    }
  /** One place per cell: unstructured grids, stations. */
  | {
      readonly kind: "points";
      readonly longitudes: Float64Array;
      readonly latitudes: Float64Array;
      /** Cells of the file: more than there are places if these are sampled. */
      readonly count: number;
      readonly dimension: string;
    }
  /** Without known places: drawn as a matrix of the last two dimensions, or as a line. */
  | {
      readonly kind: "none";
      /** Absent for scalars. */
      readonly xDimension?: string;
      readonly yDimension?: string;
      readonly rows: number;
      readonly columns: number;
    };

/** The values of a slice. */
export interface Field {
  /** Unpacked, NaN if missing; row by row, or cell by cell. */
  readonly values: Float32Array;
  /** 1 for points. */
  readonly rows: number;
  readonly columns: number;
  /** File row and column of each, if the slice is sampled; points use columnIndex. */
  readonly rowIndex?: Uint32Array;
  readonly columnIndex?: Uint32Array;
  /** NaN if all values are missing. */
  readonly minimum: number;
  readonly maximum: number;
  /** All values except NaN, ascending. */
  readonly sorted: Float32Array;
  readonly units: string;
  /** Whether the stored chunks were read or the service sampled them. */
  readonly source: "chunks" | "preview";
}

export interface Series {
  /** Labels of the axis along which the series goes. */
  readonly labels: readonly string[];
  readonly axis: Axis;
  readonly values: Float32Array;
  readonly units: string;
}

/** Index along each dimension that is not drawn (or of a cell), by dimension name; 0 by default. */
export type Indexes = Readonly<Record<string, number>>;

export interface FieldOptions {
  /** Rows and columns needed if the service samples: 1024 by default, 2048 at most; ignored for points. */
  readonly size?: number;
  /** A dimension to average over, see canAverage; its index is then ignored. */
  readonly mean?: string | undefined;
}

/**
 * An open dataset, see `openDataset` in web/src/look/dataset/dataset.ts. All methods throw `Refused` and `Unreachable`,
 * `UnreadableData` (with a sentence for the user), and AbortError. A new field aborts the one still being read of the
 * same dataset; so does a new series.
 */
export interface OpenDataset {
  readonly header: Dataset;
  /** One axis per dimension of the variable, in order. @param path of the variable */
  axes(path: string, signal?: AbortSignal): Promise<readonly Axis[]>;
  geometry(path: string, signal?: AbortSignal): Promise<Geometry>;
  field(
    path: string,
    indexes: Indexes,
    options?: FieldOptions,
    signal?: AbortSignal,
  ): Promise<Field>;
  /** @param along name of a dimension */
  series(path: string, indexes: Indexes, along: string, signal?: AbortSignal): Promise<Series>;
  /** Aborts everything and ends the worker. */
  close(): void;
}
