/** Failures that any package may report, and the base of all of them. */

/**
 * A failure whose message is written for the person who ran a command or sent a request. A command prints only the
 * message; any other error is a fault of the program and is printed with its stack.
 */
export class UserError extends Error {}

/**
 * A failure in the words of the domain. Its message goes to the caller, except where the error table
 * (src/server/error-table.ts) replaces it with a sentence of its own.
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

/** The data cannot be read now; later they may. */
export class DataUnavailable extends DomainError {
  readonly kind = "data-unavailable";
}

/** What must be remembered cannot be written: a full disk, or one that is gone. */
export class StorageUnavailable extends DomainError {
  readonly kind = "storage-unavailable";
}

/** Whoever comes again later is served. */
export abstract class ComeAgain extends DomainError {
  /** Seconds after which another try makes sense. */
  abstract readonly retryAfter: number;
}

/** Seconds after which another try makes sense: where a place is soon free again, and where searches wait for theirs. */
export const RETRY_AFTER = { place: 2, search: 5 } as const;

/** More is asked of the service at once than it takes on; whoever waits a little is served. */
export class ServiceBusy extends ComeAgain {
  readonly kind = "service-busy";
  /** @param retryAfter seconds after which another try makes sense */
  constructor(
    readonly retryAfter: number,
    message = "The service has too much to do at the moment; please try again.",
  ) {
    super(message);
  }
}
