/** What a crawl finds. */
import { escapeUnseen } from "../../domain/text/invisible-characters.js";

/** A file of data, or a zarr store, as the file system describes it; nothing of it was read. */
export interface FoundFile {
  /** Absolute, as it was named, links and all. */
  readonly path: string;
  readonly kind: "file" | "zarr";
  /** Bytes; of a store those of all its files. */
  readonly size: number;
  /** When it was written last, in milliseconds since 1970; of a store the newest of its files. */
  readonly modified: number;
  /** Decimal text. */
  readonly inode: string;
  /** What storage it lies on, where a rule tells. */
  readonly fs_type?: string;
}

/** Hears of what is not as it should be. */
export interface Report {
  /** Something is left out; the reason is one line. */
  refuse(path: string, reason: string): void;
  /** Something that is only worth knowing. */
  note(path: string, text: string): void;
}

const CONTROLS = /\p{Cc}/gu;

/** A name as it can stand in a line, whatever is in it. */
export const shown = (path: string): string => escapeUnseen(path, CONTROLS);

/** Names of files whose headers are read, in any case. */
export const READABLE_NAME = /\.(?:nc|nc3|nc4|cdf|netcdf|h5|hdf5|hdf|he5)$/i;
/** The same of GRIB, whose headers nobody reads here: the path tells all that is known. */
export const GRIB_NAME = /\.gri?b2?$/i;

export const isGrib = (path: string): boolean => GRIB_NAME.test(path);

/** Whether it is named as a file of data. */
export const isData = (path: string): boolean => READABLE_NAME.test(path) || isGrib(path);
