import { ComeAgain, DomainError } from "../platform/errors.js";

/** Something that only administrators may do; the message says what. */
export class AdministratorsOnly extends DomainError {
  readonly kind = "administrators-only";
}

/** Something that this kind of token cannot do, or accounts of this kind; the message says what. */
export class NotWithThisToken extends DomainError {
  readonly kind = "not-with-this-token";
}

/** The codes of RFC 6749, 5.2, RFC 6750, 3.1, and RFC 7009, 2.2.1. */
export type OauthError =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_token"
  | "unsupported_grant_type"
  | "unsupported_token_type";

/** An error that the standards of OAuth 2.0 have a code for; the body names it. */
export abstract class OauthProblem extends DomainError {
  /** Undefined where RFC 6750, 3.1 wants none: nothing was sent that could be wrong. */
  abstract readonly code: OauthError | undefined;
  /** The authentication scheme that the caller should use. */
  readonly scheme: "Bearer" | "Basic" = "Bearer";
}

/** A request to the token endpoints that makes no sense, such as one with neither password nor refresh token. */
export class InvalidTokenRequest extends OauthProblem {
  readonly kind = "invalid-token-request";
  constructor(
    message: string,
    readonly code: OauthError = "invalid_request",
  ) {
    super(message);
  }
}

/** A name and password, or a refresh token, that are not right. */
export class InvalidGrant extends OauthProblem {
  readonly kind = "invalid-grant";
  readonly code = "invalid_grant";
}

/** A client that is not known, or whose secret is wrong. */
export class InvalidClient extends OauthProblem {
  readonly kind = "invalid-client";
  readonly code = "invalid_client";
  constructor(override readonly scheme: "Bearer" | "Basic" = "Bearer") {
    super("The client is not known, or its secret is wrong.");
  }
}

/** An access token that is not valid, or not any more. */
export class InvalidToken extends OauthProblem {
  readonly kind = "invalid-token";
  readonly code = "invalid_token";
  /** @param fault for those who look after the service; the caller is told no more than the message */
  constructor(
    message: string,
    readonly fault: "invalid" | "expired" | "revoked" | "share" = "invalid",
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A protected operation was called without an access token. */
export class MissingToken extends OauthProblem {
  readonly kind = "missing-token";
  readonly code = undefined;
  /** @param hint what else there is to do, as a sentence */
  constructor(hint?: string) {
    const needed = "An access token is needed: Authorization: Bearer <token>.";
    super(hint === undefined ? needed : `${needed} ${hint}`);
  }
}

/** Too many failed sign-ins for one name, or from one address. */
export class TooManyAttempts extends ComeAgain {
  readonly kind = "too-many-attempts";
  /** @param retryAfter seconds after which another try makes sense */
  constructor(readonly retryAfter: number) {
    super("There were too many failed sign-ins; please wait.");
  }
}

/** More sign-ins wait than can be looked at in good time. */
export class SignInBusy extends DomainError {
  readonly kind = "sign-in-busy";
  constructor() {
    super("too many sign-ins wait");
  }
}

/** The outside identity provider cannot be asked. */
export class IdentityUnavailable extends DomainError {
  readonly kind = "identity-unavailable";
}
