/** The files that a crawl finds. */
import { escapeUnseen } from "../../../domain/text/invisible-characters.js";

/** A data file or zarr store with its file status. Its content has not been read. */
export interface FoundFile {
  /** Absolute, with links unresolved. */
  readonly path: string;
  readonly kind: "file" | "zarr";
  /** Bytes; for a store the total of its files. */
  readonly size: number;
  /** Last change, in milliseconds since 1970; for a store the newest of its files. */
  readonly modified: number;
  /** Decimal text. */
  readonly inode: string;
  /** Kind of storage, if a rule gives it. */
  readonly fs_type?: string;
}

export interface Report {
  /** Reports something left out, with a reason of one line. */
  refuse(path: string, reason: string): void;
  /** Reports something worth knowing that leaves nothing out. */
  note(path: string, text: string): void;
}

const CONTROLS = /\p{Cc}/gu;

/** A path for use in a line of output, with control characters escaped. */
export const printable = (path: string): string => escapeUnseen(path, CONTROLS);

/** Extensions of files whose headers can be read, in any case. */
export const READABLE_NAME = /\.(?:nc|nc3|nc4|cdf|netcdf|h5|hdf5|hdf|he5)$/i;
/** Extensions of GRIB, whose headers this service cannot read: only the path describes these files. */
const GRIB_NAME = /\.gri?b2?$/i;

export const isGrib = (path: string): boolean => GRIB_NAME.test(path);

/** Whether the name has the extension of a data file. */
export const isData = (path: string): boolean => READABLE_NAME.test(path) || isGrib(path);
