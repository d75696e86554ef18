/** What can become of a request, for a person: what went wrong, and what to do. */
import type { components } from "../../../generated/openapi.js";

export type Problem = components["schemas"]["Problem"];

/** The service has answered, with a problem (RFC 9457). */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Partial<Problem>,
    /** Seconds after which it may be asked again. */
    readonly retryAfter: number | undefined,
  ) {
    super(problem.detail ?? problem.title ?? `The service answered ${status}.`);
  }
}

/** The service did not answer, or broke its answer off. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The service does not answer.", { cause });
  }
}

export const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";
