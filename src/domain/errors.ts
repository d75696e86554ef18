/**
 * What can go wrong, in the words of the domain, and the one table that knows HTTP.
 *
 * An error's message is for the caller. Where the caller must not see the inside (5xx), the
 * table's own sentence is sent instead, and message and cause go to the log.
 */
import { ToldError } from "../platform/user-error.js";

/** One reason why a request is refused, bound to the parameter that caused it. */
export interface ParameterIssue {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "body";
  readonly reason: string;
}

export abstract class DomainError extends ToldError {
  abstract readonly kind: ErrorKind;
  override get name(): string {
    return this.constructor.name;
  }
}

/** Of a large body that is wrong throughout, so many issues are told in the sentence, and so many one by one. */
const TOLD = 20;
export const MAX_ISSUES = 10_000;

/** What is wrong with a part of a request. */
export interface FoundIssues {
  readonly issues: readonly ParameterIssue[];
  /** How many there are beside these. */
  readonly unlisted: number;
}

/** All that is wrong with a request, of which so many are kept that whoever sent it can read them. */
export class Issues implements FoundIssues {
  readonly issues: ParameterIssue[] = [];
  #unlisted = 0;
  readonly #isTold: (name: string) => boolean;

  /** @param isTold what is told elsewhere, and not again here */
  constructor(isTold: (name: string) => boolean = () => false) {
    this.#isTold = isTold;
  }

  get unlisted(): number {
    return this.#unlisted;
  }

  get any(): boolean {
    return this.issues.length > 0;
  }

  add(...issues: readonly ParameterIssue[]): void {
    for (const issue of issues) {
      if (this.#isTold(issue.name)) continue;
      if (this.issues.length < MAX_ISSUES) this.issues.push(issue);
      else this.#unlisted += 1;
    }
  }

  /** What is told of them: of many entries, one after the other. */
  get error(): InvalidParameters {
    const entry = ({ name }: ParameterIssue): number =>
      Number(/^\w+\[(\d+)\]/.exec(name)?.[1] ?? -1);
    const ordered = [...this.issues].sort((a, b) => entry(a) - entry(b));
    return new InvalidParameters(ordered, this.unlisted);
  }

  /** Adds what others have found. */
  join(others: FoundIssues): void {
    this.add(...others.issues);
    this.#unlisted += others.unlisted;
  }
}

/** Parameters that are unknown or have values that are not valid. */
export class InvalidParameters extends DomainError {
  readonly kind = "invalid-parameters";
  /** @param unlisted how many there are beside these */
  constructor(
    readonly issues: readonly ParameterIssue[],
    readonly unlisted = 0,
  ) {
    const told = issues.slice(0, TOLD).map(({ name, reason }) => `${name}: ${reason}`);
    const rest = issues.length - told.length + unlisted;
    super(told.join("; ") + (rest > 0 ? `; and ${rest} more` : ""));
  }
}

/** The error for one parameter of a query. @param reason a predicate of it */
export const invalidParameter = (name: string, reason: string): InvalidParameters =>
  new InvalidParameters([{ name, in: "query", reason }]);

/** A value of a search that no entry has. */
export interface UnknownValue {
  /** The key that it was given for. */
  readonly name: string;
  readonly value: string;
  /** Values that there are and that are spelled much like it, the nearest first. */
  readonly near: readonly string[];
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, MAX_QUOTED));
/** Characters of a value in a sentence. */
const MAX_QUOTED = 200;

/** Nothing is found, for what is searched or because of values that no entry has. */
export abstract class NothingFound extends DomainError {
  constructor(readonly unknownValues: readonly UnknownValue[] = []) {
    const reasons = unknownValues.map(({ name, value, near }) => {
      const meant = near.length > 0 ? `; did you mean ${near.map(quoted).join(", ")}?` : ".";
      return ` No entry has the ${name} ${quoted(value)}${meant}`;
    });
    super(`Nothing is found for this search.${reasons.join("")}`);
  }
}

/** Nothing is found where a catalogue of nothing would be of no use. */
export class NoEntries extends NothingFound {
  readonly kind = "no-entries";
}

/** The same, for the one operation that answers it with 404 (specification, section 7). */
export class NoItems extends NothingFound {
  readonly kind = "no-items";
}

/** More is found than the caller wants to have, or than is worked out at once. */
export class TooManyResults extends DomainError {
  readonly kind = "too-many-results";
  /** @param things what is counted, where it is not the caller who bounds it */
  constructor(found: number | string, limit: number, things?: string) {
    super(
      things === undefined
        ? `${found} entries are found, but max-results is ${limit}.`
        : `There are ${found} ${things}, but no more than ${limit} are worked out at once; please search for less.`,
    );
  }
}

/** What is asked about a search makes an answer of Solr that is longer than one may be. */
export class AnswerTooLong extends DomainError {
  readonly kind = "too-many-results";
  constructor() {
    super(
      "What is asked about this search is more than is worked out at once; please search for less.",
    );
  }
}

/** There is no data set of this identifier, no such document in it, or a chunk that was never written. */
export class NoSuchData extends DomainError {
  readonly kind = "no-such-data";
}

/**
 * A key of a data set that is neither a document nor a chunk of one of its arrays. Never 404, which zarr
 * clients read as a chunk that was never written.
 */
export class UnknownKey extends DomainError {
  readonly kind = "unknown-key";
}

/** There is no flavour of this name that is the caller's, or for all. */
export class NoSuchFlavour extends DomainError {
  readonly kind = "no-such-flavour";
  constructor(name: string, near: readonly string[]) {
    const meant = near.length > 0 ? `; did you mean ${near.join(", ")}?` : ".";
    super(`You have no flavour ${JSON.stringify(name)}${meant}`);
  }
}

/** A name that something else has. */
export class NameTaken extends DomainError {
  readonly kind = "name-taken";
}

/** Something that only administrators may do; the message says what. */
export class AdministratorsOnly extends DomainError {
  readonly kind = "administrators-only";
}

/** Something that this kind of token cannot do, or accounts of this kind; the message says what. */
export class NotWithThisToken extends DomainError {
  readonly kind = "not-with-this-token";
}

/** The data are another user's, or lie where nothing may be read. */
export class NotYours extends DomainError {
  readonly kind = "not-yours";
}

/** The data are in the index, but their file is gone. */
export class DataGone extends DomainError {
  readonly kind = "data-gone";
}

/** The data are of a format that is not read; the message says which. */
export class UnreadableFormat extends DomainError {
  readonly kind = "unreadable-format";
}

/** The file contradicts its own format. */
export class DamagedData extends DomainError {
  readonly kind = "damaged-data";
}

/** A piece of the data, or what must be read for it, is more than one reading may take; the message says what. */
export class DataTooLarge extends DomainError {
  readonly kind = "data-too-large";
}

/** The data cannot be read now; later they may. */
export class DataUnavailable extends DomainError {
  readonly kind = "data-unavailable";
}

/** A range that lies outside the value. */
export class RangeNotSatisfiable extends DomainError {
  readonly kind = "range-not-satisfiable";
  constructor(readonly length: number) {
    super(`The value has ${length} bytes.`);
  }
}

/** Solr cannot be reached, broke off, or is itself not well. */
export class SolrUnavailable extends DomainError {
  readonly kind = "search-unavailable";
}

/** What must be remembered cannot be written: a full disk, or one that is gone. */
export class StorageUnavailable extends DomainError {
  readonly kind = "storage-unavailable";
}

/** Solr did not answer by its deadline. */
export class SolrTimeout extends DomainError {
  readonly kind = "search-timeout";
}

/** Solr refused a request of ours: a fault on this side, or a collection of another form. */
export class SolrRefused extends DomainError {
  readonly kind = "search-refused";
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

/** A search whose wildcards would take Solr too long to work out. */
export class TooComplexSearch extends DomainError {
  readonly kind = "search-too-complex";
  constructor(options?: ErrorOptions) {
    super("This search has too many wildcards or values; please ask for less at once.", options);
  }
}

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

/** A body that cannot be read as what its media type says. */
export class MalformedBody extends DomainError {
  readonly kind = "malformed-body";
}

/** A body larger than the operation takes. */
export class BodyTooLarge extends DomainError {
  readonly kind = "body-too-large";
  /** @param unit of what there may be so many */
  constructor(most: number, unit = "bytes") {
    super(`The body may have at most ${most} ${unit}.`);
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

interface HttpTraits {
  readonly status: number;
  readonly title: string;
  /** Sent instead of the error's own message, which may show the inside. */
  readonly detail?: string;
  /** Seconds after which another try makes sense. */
  readonly retryAfter?: number;
}

const table = {
  "invalid-parameters": { status: 422, title: "Invalid parameters" },
  "no-entries": { status: 400, title: "No entries found" },
  "no-items": { status: 404, title: "No entries found" },
  "too-many-results": { status: 413, title: "Too many results" },
  "no-such-data": { status: 404, title: "Not found" },
  "no-such-flavour": { status: 404, title: "No such flavour" },
  "name-taken": { status: 409, title: "Name taken" },
  "administrators-only": { status: 403, title: "Not allowed" },
  "unknown-key": { status: 400, title: "Unknown key" },
  "not-with-this-token": { status: 403, title: "Not allowed" },
  "not-yours": { status: 403, title: "Not allowed" },
  "data-gone": { status: 410, title: "Gone" },
  "unreadable-format": { status: 415, title: "Format not readable" },
  "damaged-data": {
    status: 500,
    title: "Damaged data",
    detail: "The file of these data is damaged and cannot be read.",
  },
  "data-too-large": { status: 413, title: "Data too large" },
  "data-unavailable": {
    status: 503,
    title: "Data unavailable",
    detail: "The data cannot be read at the moment.",
    retryAfter: 5,
  },
  "range-not-satisfiable": { status: 416, title: "Range not satisfiable" },
  "search-too-complex": { status: 422, title: "Search too complex" },
  "invalid-token-request": { status: 400, title: "Invalid request" },
  "invalid-grant": { status: 401, title: "Sign-in rejected" },
  "invalid-client": { status: 401, title: "Client rejected" },
  "invalid-token": { status: 401, title: "Token rejected" },
  "missing-token": { status: 401, title: "Token missing" },
  "too-many-attempts": { status: 429, title: "Too many attempts" },
  "too-many-requests": { status: 429, title: "Too many requests" },
  "malformed-body": { status: 400, title: "Malformed body" },
  "body-too-large": { status: 413, title: "Body too large" },
  "unsupported-media-type": { status: 415, title: "Unsupported media type" },
  "sign-in-busy": {
    status: 503,
    title: "Too many sign-ins",
    detail: "There are too many sign-ins at the moment; please try again.",
    retryAfter: 2,
  },
  "identity-unavailable": {
    status: 503,
    title: "Identity provider unavailable",
    detail: "The identity provider cannot be reached at the moment.",
    retryAfter: 5,
  },
  "malformed-request": { status: 400, title: "Malformed request" },
  "request-timeout": { status: 408, title: "Request timeout" },
  "headers-too-large": { status: 431, title: "Headers too large" },
  "expectation-failed": { status: 417, title: "Expectation failed" },
  "version-not-supported": { status: 505, title: "HTTP version not supported" },
  "no-such-path": { status: 404, title: "Not found" },
  "method-not-allowed": { status: 405, title: "Method not allowed" },
  "internal-error": {
    status: 500,
    title: "Internal error",
    detail: "The service failed to answer this request.",
  },
  "search-refused": {
    status: 500,
    title: "Internal error",
    detail: "The search backend did not accept this request.",
  },
  "search-unavailable": {
    status: 503,
    title: "Search backend unavailable",
    detail: "The search backend cannot be reached at the moment.",
    retryAfter: 5,
  },
  "storage-unavailable": {
    status: 503,
    title: "Storage unavailable",
    detail: "The service cannot write to its storage at the moment.",
    retryAfter: 5,
  },
  "service-busy": { status: 503, title: "Service busy" },
  "search-timeout": {
    status: 503,
    title: "Search backend unavailable",
    detail: "The search backend did not answer in time.",
    retryAfter: 5,
  },
} as const satisfies Record<string, HttpTraits>;

export type ErrorKind = keyof typeof table;

/** Error -> status: the one table. */
export const HTTP: Readonly<Record<ErrorKind, HttpTraits>> = table;
