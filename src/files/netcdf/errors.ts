/** Errors of reading a file. */

/** Any failure to read a file. `kind` distinguishes them, also across processes. A service adds classes of its own. */
export abstract class ReadingError extends Error {
  abstract readonly kind: string;
  override get name(): string {
    return this.constructor.name;
  }
}

/** A class of failures of one kind. */
export const failure = <K extends string>(kind: K) =>
  class extends ReadingError {
    readonly kind = kind;
  };

/** The file is intact, but its format or a feature is not supported; the message says which. */
export class NotReadableFormat extends failure("not-readable-format") {}

/** The file violates its format: truncated, overwritten, or malicious. */
export class DamagedFile extends failure("damaged-file") {}

/** Checks that a file of `size` bytes is not shorter than it says, for example after a broken transfer. */
export function checkEnd(size: number, end: number): void {
  if (end > size) {
    throw new DamagedFile(`The file has ${size} bytes of the ${end} it should have.`);
  }
}

/** Reading would exceed the memory limit. */
export class TooLarge extends failure("too-large") {}

/** The file does not exist any more. */
export class FileGone extends failure("file-gone") {}

/** The file is not the opened one: size, time or inode differ. Open it again. */
export class FileChanged extends failure("file-changed") {}

/** The operating system refuses: permissions, a stale mount, too many open files. */
export class FileUnreachable extends failure("file-unreachable") {}

/** Reading exceeded its time limit, or the reading process died. */
export class ReadingTimeout extends failure("reading-timeout") {}

/** Kinds of failures that belong to the file: another reading would meet them again. */
const LASTING = new Set(["not-readable-format", "damaged-file", "too-large"]);

export const isLasting = (error: unknown): error is ReadingError =>
  error instanceof ReadingError && LASTING.has(error.kind);

const GONE = new Set(["ENOENT", "ENOTDIR"]);
const NOT_PERMITTED = new Set(["EACCES", "EPERM"]);

/** Whether Node's permission model denied an access. Its permissions are fixed when the process starts. */
export const isDenied = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_ACCESS_DENIED";

/**
 * Converts any thrown value to a ReadingError.
 *
 * An error that neither this library nor the operating system raised comes from unexpected content, such as a
 * RangeError of a typed array. The file then counts as damaged. Its own message is not for users of a service.
 */
export function asReadingError(error: unknown): ReadingError {
  if (error instanceof ReadingError) return error;
  const cause = { cause: error };
  if (error instanceof Error && "code" in error && "syscall" in error) {
    const code = String(error.code);
    if (GONE.has(code)) return new FileGone("The file is not there any more.", cause);
    const reason = NOT_PERMITTED.has(code) ? "no permission" : code;
    return new FileUnreachable(`The file cannot be read (${reason}).`, cause);
  }
  if (isDenied(error))
    return new FileUnreachable("The file lies where nothing may be read.", cause);
  return new DamagedFile("The file cannot be understood.", cause);
}

/** A failure with the name of the part of the file that cannot be read, such as a variable's path, in its message. */
export function naming(part: string, thrown: unknown): ReadingError {
  const error = asReadingError(thrown);
  const message = `${part}: ${error.message}`;
  if (error instanceof DamagedFile) return new DamagedFile(message, { cause: error.cause });
  return error instanceof NotReadableFormat ? new NotReadableFormat(message) : error;
}
