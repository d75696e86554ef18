/** Failures that any package may report, and the base of all of them. */

/**
 * A failure whose message is written for the person who ran a command or sent a request. A command prints only the
 * message; any other error is a fault of the program and is printed with its stack.
 */
export class UserError extends Error {}

/**
 * A failure in the words of the domain. Its message goes to the caller, except where the error table
 * (src/server/contract/error-table.ts) replaces it with a sentence of its own.
 */
export abstract class DomainError extends UserError {
  abstract readonly kind: string;
  override get name(): string {
    return this.constructor.name;
  }
}

/** Whether an error of the file system says that nothing lies at a path. */
export const isMissing = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === "ENOENT";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "is a folder",
  EEXIST: "a file has its name",
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  EFBIG: "the file is larger than allowed",
};

/** Why the file system refuses, in words where most people would look the code up. */
export function refusalOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ""] ?? code ?? message;
}

/** Refusals that only the owner of the machine can mend. */
const REFUSALS = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EFBIG"]);
/** Those of them that concern the copy, not the file that is copied. */
const OF_WRITING = new Set(["EROFS", "ENOSPC", "EDQUOT", "EFBIG"]);

/** The message of an error for the person who ran a command; undefined for a fault of the program. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof UserError) return error.message;
  const { code = "", path, dest } = (error ?? {}) as NodeJS.ErrnoException & { dest?: string };
  const at = OF_WRITING.has(code) ? (dest ?? path) : path;
  if (at === undefined || !REFUSALS.has(code)) return undefined;
  return `${at} cannot be used (${refusalOf(error)}).`;
}

/** The data cannot be read now; later they may. */
export class DataUnavailable extends DomainError {
  readonly kind = "data-unavailable";
}

/** Persistent state cannot be written: a disk is full or unavailable. */
export class StorageUnavailable extends DomainError {
  readonly kind = "storage-unavailable";
}

/** A temporary failure: the request can be repeated later. */
export abstract class RetryLater extends DomainError {
  /** Seconds after which to try again. */
  abstract readonly retryAfter: number;
}

/** Seconds after which to try again: `permit` when a permit is free soon, `search` when searches queue. */
export const RETRY_AFTER = { permit: 2, search: 5 } as const;

/** The service has reached a limit of concurrent work. */
export class ServiceBusy extends RetryLater {
  readonly kind = "service-busy";
  /** @param retryAfter seconds after which to try again */
  constructor(
    readonly retryAfter: number,
    message = "The service has too much to do at the moment; please try again.",
  ) {
    super(message);
  }
}
