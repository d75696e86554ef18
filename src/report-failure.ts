/** What is logged of a failure: of one that is to be expected, its kind and its message; of any other, its stack too. */
import { DomainError, type ErrorKind } from "./errors.js";

/** Faults of this side, though they are in the words of the domain. */
const OURS: ReadonlySet<ErrorKind> = new Set(["search-refused", "internal-error"]);

/** The fields of a log line. */
export function failureOf(error: unknown): Readonly<Record<string, unknown>> {
  if (!isExpected(error)) return { err: error };
  const causes: string[] = [];
  for (let cause = error.cause; cause !== undefined && causes.length < 5; ) {
    causes.push(cause instanceof Error ? cause.message : String(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return { kind: error.kind, reason: [error.message, ...causes].join(": ") };
}

/** Whether a failure comes from outside: Solr is away, a file is damaged, somebody has left. */
export function isExpected(error: unknown): error is DomainError {
  return error instanceof DomainError && !OURS.has(error.kind);
}

/** What the runtime raises where a connection ends before its time. */
const ABORTS: ReadonlySet<unknown> = new Set([
  ...["ABORT_ERR", "ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED"],
  "AbortError",
]);

/** Whether a failure says no more than that a connection, or the work for it, was given up. */
export function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ABORTS.has(error.name) || ABORTS.has((error as NodeJS.ErrnoException).code);
}
