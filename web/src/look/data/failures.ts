/** Errors in the worker, in a form that can be posted to the page. */

export type WorkerError =
  /** The service refused the request. */
  | {
      readonly kind: "refused";
      readonly status: number;
      /** Problem details as received (RFC 9457). */
      readonly problem: unknown;
      /** Seconds; NaN if the service gives none. */
      readonly retryAfter: number;
    }
  /** The service does not answer. */
  | { readonly kind: "unreachable" }
  /** The data cannot be drawn; the message is a sentence. */
  | { readonly kind: "unreadable"; readonly message: string }
  | { readonly kind: "aborted" };

export const UNREACHABLE: WorkerError = { kind: "unreachable" };

/** The data cannot be read or drawn; the message tells the user why, in a sentence. */
export class UnreadableData extends Error {
  override readonly name = "UnreadableData";
}

const isFailing = (value: unknown): value is WorkerError =>
  typeof value === "object" && value !== null && "kind" in value && !(value instanceof Error);

/** Converts a thrown value into plain data. */
export function workerError(thrown: unknown): WorkerError {
  if (isFailing(thrown)) return thrown;
  // Libraries wrap errors thrown below them.
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error.name === "AbortError") return { kind: "aborted" };
    if (isFailing(error.cause)) return error.cause;
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    kind: "unreadable",
    message:
      thrown instanceof UnreadableData ? message : `The data cannot be read here: ${message}`,
  };
}
