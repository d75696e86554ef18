/**
 * What can go wrong while a data set is served: what reading its files fails by, and what the service itself refuses.
 *
 * The status beside each kind is what a service over HTTP should answer. It is never 404: zarr
 * clients fill a chunk that answers 404 with the fill value, and a failure would become data.
 */
import {
  DamagedFile,
  FileChanged,
  type FileFailure,
  FileGone,
  FileUnreachable,
  NotReadableFormat,
  ReadingError,
  ReadingTimeout,
  TooLarge,
} from "../netcdf/errors.js";

export type ReadingFailure = FileFailure | "outside-roots" | "reading-busy";

/** What was opened lies outside the folders that may be read, or in one that this reader may not. */
export class OutsideRoots extends ReadingError<ReadingFailure> {
  constructor(message: string, options?: ErrorOptions) {
    super("outside-roots", message, options);
  }
}

/** More is waiting to be read than will be done in good time. */
export class ReadingBusy extends ReadingError<ReadingFailure> {
  constructor(message: string, options?: ErrorOptions) {
    super("reading-busy", message, options);
  }
}

const CLASSES: Record<ReadingFailure, new (message: string) => ReadingError> = {
  "not-readable-format": NotReadableFormat, // 415
  "damaged-file": DamagedFile, // 500
  "too-large": TooLarge, // 413
  "outside-roots": OutsideRoots, // 403
  "file-gone": FileGone, // 410
  "file-changed": FileChanged, // 503
  "file-unreachable": FileUnreachable, // 503
  "reading-timeout": ReadingTimeout, // 503
  "reading-busy": ReadingBusy, // 503
};

/** An error as plain data, which can cross from a process to another. */
export interface PortableError {
  readonly kind: ReadingFailure;
  readonly message: string;
}

export function isReadingFailure(value: unknown): value is ReadingFailure {
  return typeof value === "string" && Object.hasOwn(CLASSES, value);
}

/** An error for another process; a kind that it does not know cannot come from a file that is whole. */
export function portable({ kind, message }: ReadingError): PortableError {
  return { kind: isReadingFailure(kind) ? kind : "damaged-file", message };
}

/** The error that another process reported, as an instance of its class. */
export function revive({ kind, message }: PortableError): ReadingError {
  return new CLASSES[kind](message);
}
