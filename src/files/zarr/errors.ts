/** Errors of serving a data set, beside those of reading its files. */
import { failure, ReadingError } from "../netcdf/errors.js";

/** The file lies outside the readable folders, or in one closed to this reader. */
export class OutsideRoots extends failure("outside-roots") {}

/** The queue of reading is too long to answer in time. */
export class ReadingBusy extends failure("reading-busy") {}

/** The joined data would be wrong. The message names the files and what differs. */
export class JoinRefused extends failure("join-refused") {}

/** The plan of a join is being made; the message says how far it is. */
export class JoinPreparing extends failure("join-preparing") {}

/** A file of a join is not the one that was planned with. */
export class JoinOutdated extends failure("join-outdated") {}

/** An error as plain data, to be sent between processes. */
export interface PortableError {
  readonly kind: string;
  readonly message: string;
  /** The message of an error that no check foresaw, for the log. */
  readonly cause?: string | undefined;
}

export const portable = ({ kind, message, cause }: ReadingError): PortableError => ({
  kind,
  message,
  cause: cause instanceof Error ? cause.message : undefined,
});

/** An error of another process. Its kind tells what it is, not its class. */
class RemoteError extends ReadingError {
  readonly kind: string;
  constructor({ kind, message, cause }: PortableError) {
    super(message, cause === undefined ? undefined : { cause: new Error(cause) });
    this.kind = kind;
  }
}

export const revive = (error: PortableError): ReadingError => new RemoteError(error);
