import type { ParameterIssue } from "../domain/errors.js";
import { DomainError, RetryLater } from "../platform/errors.js";

export class NoSuchPath extends DomainError {
  readonly kind = "no-such-path";
}

/** Shards of the index have no leader: nothing can be written to them. */
export class NoLeader extends DomainError {
  readonly kind = "shard-without-leader";
}

export class MethodNotAllowed extends DomainError {
  readonly kind = "method-not-allowed";
  constructor(
    method: string,
    readonly allowed: readonly string[],
  ) {
    super(`${method} is not allowed here; allowed are ${allowed.join(", ")}.`);
  }
}

/** The quotas of a client and the one that is used up, as the headers RateLimit-Policy and RateLimit. */
interface UsedUp {
  readonly policy: string;
  readonly limit: string;
}

/** A client has exceeded a quota although it was slowed down. */
export class TooManyRequests extends RetryLater {
  readonly kind = "too-many-requests";
  /** @param retryAfter seconds after which the client may try again */
  constructor(
    message: string,
    readonly retryAfter: number,
    readonly usedUp: UsedUp,
  ) {
    super(message);
  }
}

/** The request is meant for another state of what it names (RFC 9110, 15.5.13). */
export class PreconditionFailed extends DomainError {
  readonly kind = "precondition-failed";
}

export class MalformedBody extends DomainError {
  readonly kind = "malformed-body";
}

export class BodyTooLarge extends DomainError {
  readonly kind = "body-too-large";
  /** @param unit what is counted */
  constructor(max: number, unit = "bytes") {
    super(`The body may have at most ${max} ${unit}.`);
  }
}

export class RefusedRequest extends DomainError {
  constructor(
    readonly kind:
      | "malformed-request"
      | "request-timeout"
      | "headers-too-large"
      | "expectation-failed"
      | "version-not-supported",
    message: string,
  ) {
    super(message);
  }
}

export class UnsupportedMediaType extends DomainError {
  readonly kind = "unsupported-media-type";
  constructor(types: readonly string[]) {
    super(`The body must be ${types.join(" or ")}.`);
  }
}

/** A request that its operation cannot take; the operation answers 400, as its standard says. */
export class InvalidRequest extends DomainError {
  readonly kind = "invalid-request";
  constructor(
    message: string,
    readonly issues: readonly ParameterIssue[] = [],
  ) {
    super(message);
  }
}

export class NoSuchItem extends DomainError {
  readonly kind = "no-such-item";
}
