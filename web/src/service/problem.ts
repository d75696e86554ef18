/** Failures of requests. */
import type { components } from "../../../generated/openapi.js";

export type Problem = components["schemas"]["Problem"];

/** The service answered with a problem (RFC 9457). */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Partial<Problem>,
    /** Seconds until the request may be repeated. */
    readonly retryAfter: number | undefined,
  ) {
    super(problem.detail ?? problem.title ?? `The service answered ${status}.`);
  }
}

/** The service did not answer, or its answer broke off. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The service does not answer.", { cause });
  }
}

export const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";
