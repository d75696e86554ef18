/** What can go wrong while a file is read, in the words of the domain. */

export type FileFailure =
  | "not-readable-format"
  | "damaged-file" // the file is at fault, another try will not help
  | "too-large" // more memory than a reading may take
  | "file-gone"
  | "file-changed" // the file was replaced while it was read
  | "file-unreachable" // permissions, input/output errors
  | "reading-timeout";

/** Any failure to read a file; `kind` tells them apart, also across processes. Whoever serves files may add kinds. */
export class ReadingError<Kind extends string = string> extends Error {
  constructor(
    readonly kind: Kind,
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
export class NotReadableFormat extends ReadingError<FileFailure> {
  constructor(message: string, options?: ErrorOptions) {
    super("not-readable-format", message, options);
  }
}

/** The file contradicts its own format: cut off, overwritten, or made to harm. */
export class DamagedFile extends ReadingError<FileFailure> {
  constructor(message: string, options?: ErrorOptions) {
    super("damaged-file", message, options);
  }
}

/** Reading would take more memory than one reading may have. */
export class TooLarge extends ReadingError<FileFailure> {
  constructor(message: string, options?: ErrorOptions) {
    super("too-large", message, options);
  }
}

/** There is no file at this path any more. */
export class FileGone extends ReadingError<FileFailure> {
  constructor(message: string, options?: ErrorOptions) {
    super("file-gone", message, options);
  }
}

/** The file is not the one that was opened: size, time or inode differ. Open it again. */
export class FileChanged extends ReadingError<FileFailure> {
  constructor(message: string, options?: ErrorOptions) {
    super("file-changed", message, options);
  }
}

/** The operating system refuses: permissions, a stale mount, too many open files. */
export class FileUnreachable extends ReadingError<FileFailure> {
  constructor(message: string, options?: ErrorOptions) {
    super("file-unreachable", message, options);
  }
}

/** Reading took longer than its limit, or the process that read has died. */
export class ReadingTimeout extends ReadingError<FileFailure> {
  constructor(message: string, options?: ErrorOptions) {
    super("reading-timeout", message, options);
  }
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
