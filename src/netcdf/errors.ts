/**
 * What can go wrong while a file is read, in the words of the domain.
 *
 * The status beside each kind is what a service over HTTP should answer. It is never 404: zarr
 * clients fill a chunk that answers 404 with the fill value, and a failure would become data.
 */

export type ReadingFailure =
  | "not-readable-format" // 415
  | "damaged-file" // 500: the file is at fault, another try will not help
  | "too-large" // 413: more memory than a reading may take
  | "outside-roots" // 403
  | "file-gone" // 410
  | "file-changed" // 503: the file was replaced while it was read
  | "file-unreachable" // 503: permissions, input/output errors
  | "reading-timeout" // 503
  | "reading-busy"; // 503

/** Any failure to read a file; `kind` tells them apart, also across processes. */
export class ReadingError extends Error {
  constructor(
    readonly kind: ReadingFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
  override get name(): string {
    return this.constructor.name;
  }
}

/** The file is whole, but of a format or a feature that is not read; the message says which. */
export class NotReadableFormat extends ReadingError {
  constructor(message: string, options?: ErrorOptions) {
    super("not-readable-format", message, options);
  }
}

/** The file contradicts its own format: cut off, overwritten, or made to harm. */
export class DamagedFile extends ReadingError {
  constructor(message: string, options?: ErrorOptions) {
    super("damaged-file", message, options);
  }
}

/** Reading would take more memory than one reading may have. */
export class TooLarge extends ReadingError {
  constructor(message: string, options?: ErrorOptions) {
    super("too-large", message, options);
  }
}

/** What was opened lies outside the folders that may be read, or in one that this reader may not. */
export class OutsideRoots extends ReadingError {
  constructor(message: string, options?: ErrorOptions) {
    super("outside-roots", message, options);
  }
}

/** There is no file at this path any more. */
export class FileGone extends ReadingError {
  constructor(message: string, options?: ErrorOptions) {
    super("file-gone", message, options);
  }
}

/** The file is not the one that was opened: size, time or inode differ. Open it again. */
export class FileChanged extends ReadingError {
  constructor(message: string, options?: ErrorOptions) {
    super("file-changed", message, options);
  }
}

/** The operating system refuses: permissions, a stale mount, too many open files. */
export class FileUnreachable extends ReadingError {
  constructor(message: string, options?: ErrorOptions) {
    super("file-unreachable", message, options);
  }
}

/** Reading took longer than its limit, or its process died. */
export class ReadingTimeout extends ReadingError {
  constructor(message: string, options?: ErrorOptions) {
    super("reading-timeout", message, options);
  }
}

/** More is waiting to be read than will be done in good time. */
export class ReadingBusy extends ReadingError {
  constructor(message: string, options?: ErrorOptions) {
    super("reading-busy", message, options);
  }
}

const CLASSES: Record<ReadingFailure, new (message: string) => ReadingError> = {
  "not-readable-format": NotReadableFormat,
  "damaged-file": DamagedFile,
  "too-large": TooLarge,
  "outside-roots": OutsideRoots,
  "file-gone": FileGone,
  "file-changed": FileChanged,
  "file-unreachable": FileUnreachable,
  "reading-timeout": ReadingTimeout,
  "reading-busy": ReadingBusy,
};

/** An error as plain data, which can cross from a process to another. */
export interface PortableError {
  readonly kind: ReadingFailure;
  readonly message: string;
}

export function isReadingFailure(value: unknown): value is ReadingFailure {
  return typeof value === "string" && Object.hasOwn(CLASSES, value);
}

/** The error that another process reported, as an instance of its class. */
export function revive({ kind, message }: PortableError): ReadingError {
  return new CLASSES[kind](message);
}

const GONE = new Set(["ENOENT", "ENOTDIR"]);

/** Whether a reading process was not allowed to open what it was told to: its permissions are of when it began. */
export const isDenied = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_ACCESS_DENIED";

/**
 * Whatever was thrown -> a ReadingError.
 *
 * What is no error of ours or of the operating system can only come from reading contents that no
 * check foresaw: a RangeError of a typed array, for one. It is the file that is damaged then.
 */
export function asReadingError(error: unknown): ReadingError {
  if (error instanceof ReadingError) return error;
  const cause = { cause: error };
  if (error instanceof Error && "code" in error && "syscall" in error) {
    return GONE.has(String(error.code))
      ? new FileGone("The file is not there any more.", cause)
      : new FileUnreachable(`The file cannot be read (${String(error.code)}).`, cause);
  }
  if (isDenied(error))
    return new FileUnreachable("The file lies where nothing may be read.", cause);
  const reason = error instanceof Error ? error.message : String(error);
  return new DamagedFile(`The file cannot be understood: ${reason}`, cause);
}
