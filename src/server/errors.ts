import { ComeAgain, DomainError } from "../platform/errors.js";

/** There is nothing at this path. */
export class NoSuchPath extends DomainError {
  readonly kind = "no-such-path";
}

/** There is something at this path, but not with this method. */
export class MethodNotAllowed extends DomainError {
  readonly kind = "method-not-allowed";
  constructor(
    method: string,
    readonly allowed: readonly string[],
  ) {
    super(`${method} is not possible here; ${allowed.join(", ")} is.`);
  }
}

/** The limits of a caller, and which of them is used up, as the fields RateLimit-Policy and RateLimit have them. */
export interface UsedUp {
  readonly policy: string;
  readonly limit: string;
}

/** One caller asks for more than one may have, and has been slowed down already. */
export class TooManyRequests extends ComeAgain {
  readonly kind = "too-many-requests";
  /** @param retryAfter seconds after which another try makes sense */
  constructor(
    message: string,
    readonly retryAfter: number,
    readonly usedUp: UsedUp,
  ) {
    super(message);
  }
}

/** A body that cannot be read as what its media type says. */
export class MalformedBody extends DomainError {
  readonly kind = "malformed-body";
}

/** A body larger than the operation takes. */
export class BodyTooLarge extends DomainError {
  readonly kind = "body-too-large";
  /** @param unit of what there may be so many */
  constructor(max: number, unit = "bytes") {
    super(`The body may have at most ${max} ${unit}.`);
  }
}

/** Bytes that make no request which could be handed on. */
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

/** A body of a media type that the operation does not take. */
export class UnsupportedMediaType extends DomainError {
  readonly kind = "unsupported-media-type";
  constructor(types: readonly string[]) {
    super(`The body must be ${types.join(" or ")}.`);
  }
}
