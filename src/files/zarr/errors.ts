/**
 * Errors of serving a data set: those of reading its files, and refusals of the service itself.
 *
 * The HTTP status is noted at each kind. It is never 404: zarr clients replace a chunk that answers 404 with fill
 * values, so a failure would become data.
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

/** The file lies outside the readable folders, or in one closed to this reader. */
export class OutsideRoots extends ReadingError<ReadingFailure> {
  constructor(message: string, options?: ErrorOptions) {
    super("outside-roots", message, options);
  }
}

/** The queue of reading is too long to answer in time. */
export class ReadingBusy extends ReadingError<ReadingFailure> {
  constructor(message: string, options?: ErrorOptions) {
    super("reading-busy", message, options);
  }
}

const CLASSES: Record<
  ReadingFailure,
  new (
    message: string,
    options?: ErrorOptions,
  ) => ReadingError
> = {
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

/** An error as plain data, to be sent between processes. */
export interface PortableError {
  readonly kind: ReadingFailure;
  readonly message: string;
  /** Of an error that no check foresaw, for the log. */
  readonly cause?: string | undefined;
}

export function isReadingFailure(value: unknown): value is ReadingFailure {
  return typeof value === "string" && Object.hasOwn(CLASSES, value);
}

/** An error for another process. An unknown kind becomes DamagedFile. */
export function portable({ kind, message, cause }: ReadingError): PortableError {
  return {
    kind: isReadingFailure(kind) ? kind : "damaged-file",
    message,
    cause: cause instanceof Error ? cause.message : undefined,
  };
}

/** An error from another process, as an instance of its class. */
export function revive({ kind, message, cause }: PortableError): ReadingError {
  return new CLASSES[kind](message, cause === undefined ? undefined : { cause: new Error(cause) });
}
