import { DomainError, RetryLater } from "../platform/errors.js";

/** Only administrators may do this; the message says what. */
export class AdministratorsOnly extends DomainError {
  readonly kind = "administrators-only";
}

/** This kind of token or account may not do this; the message says what. */
export class NotWithThisToken extends DomainError {
  readonly kind = "not-with-this-token";
}

/** The codes of RFC 6749, 5.2, RFC 6750, 3.1, and RFC 7009, 2.2.1. */
type OauthError =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_token"
  | "unsupported_grant_type"
  | "unsupported_token_type";

/** An error with a code of the OAuth 2.0 standards, which the answer contains. */
export abstract class OauthProblem extends DomainError {
  /** Undefined if the request contained no token: RFC 6750, 3.1 asks for no code then. */
  abstract readonly code: OauthError | undefined;
  /** The authentication scheme that the client should use. */
  readonly scheme: "Bearer" | "Basic" = "Bearer";
}

/** A malformed request to a token endpoint, for example with neither password nor refresh token. */
export class InvalidTokenRequest extends OauthProblem {
  readonly kind = "invalid-token-request";
  constructor(
    message: string,
    readonly code: OauthError = "invalid_request",
  ) {
    super(message);
  }
}

/** Wrong credentials, or an invalid refresh token or code. */
export class InvalidGrant extends OauthProblem {
  readonly kind = "invalid-grant";
  readonly code = "invalid_grant";
}

/** An unknown client, or a wrong client secret. */
export class InvalidClient extends OauthProblem {
  readonly kind = "invalid-client";
  readonly code = "invalid_client";
  constructor(override readonly scheme: "Bearer" | "Basic" = "Bearer") {
    super("The client is not known, or its secret is wrong.");
  }
}

/** An access token that is invalid, expired or revoked. */
export class InvalidToken extends OauthProblem {
  readonly kind = "invalid-token";
  readonly code = "invalid_token";
  /** @param fault for metrics; the client sees only the message */
  constructor(
    message: string,
    readonly fault: "invalid" | "expired" | "revoked" | "share" = "invalid",
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A protected operation without an access token. */
export class MissingToken extends OauthProblem {
  readonly kind = "missing-token";
  readonly code = undefined;
  /** @param hint another way, as a sentence */
  constructor(hint?: string) {
    const needed = "An access token is needed: Authorization: Bearer <token>.";
    super(hint === undefined ? needed : `${needed} ${hint}`);
  }
}

/** Too many failed sign-ins for one name or from one address. */
export class TooManyAttempts extends RetryLater {
  readonly kind = "too-many-attempts";
  /** @param retryAfter seconds until the next attempt is accepted */
  constructor(readonly retryAfter: number) {
    super("There were too many failed sign-ins; please wait.");
  }
}

export class SignInBusy extends DomainError {
  readonly kind = "sign-in-busy";
  constructor() {
    super("too many sign-ins wait");
  }
}

/** The outside identity provider cannot be reached. */
export class IdentityUnavailable extends DomainError {
  readonly kind = "identity-unavailable";
}
