interface HttpTraits {
  readonly status: number;
  readonly title: string;
  /** Sent instead of the error's message if that may show internals. */
  readonly detail?: string;
  /** Seconds after which a client may try again. */
  readonly retryAfter?: number;
}

/** The error table: the HTTP answer for each kind of error. A missing kind does not compile. */
export const HTTP: Readonly<Record<ErrorKind, HttpTraits>> = {
  "invalid-parameters": { status: 422, title: "Invalid parameters" },
  "no-entries": { status: 400, title: "No entries found" },
  "no-items": { status: 404, title: "No entries found" },
  "too-many-results": { status: 413, title: "Too many results" },
  "invalid-request": { status: 400, title: "Invalid request" },
  "no-such-item": { status: 404, title: "Not found" },
  "no-such-data": { status: 404, title: "Not found" },
  "no-such-flavour": { status: 404, title: "No such flavour" },
  "name-taken": { status: 409, title: "Name taken" },
  "administrators-only": { status: 403, title: "Not allowed" },
  "unknown-key": { status: 400, title: "Unknown key" },
  "not-with-this-token": { status: 403, title: "Not allowed" },
  "not-yours": { status: 403, title: "Not allowed" },
  "not-one-file": { status: 409, title: "Not a single file" },
  "data-changed": { status: 409, title: "Data changed" },
  "cannot-join": { status: 409, title: "Not joined" },
  "join-in-preparation": { status: 503, title: "In preparation", retryAfter: 5 },
  "precondition-failed": { status: 412, title: "Precondition failed" },
  "data-gone": { status: 410, title: "Gone" },
  "unreadable-format": { status: 415, title: "Format not readable" },
  "damaged-data": { status: 500, title: "Damaged data" },
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
  "shard-without-leader": { status: 503, title: "Search backend unavailable", retryAfter: 5 },
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
};

/** The kinds of the error classes that a module exports. */
type KindsOf<M> = {
  [Name in keyof M]: M[Name] extends new (
    ...args: never[]
  ) => { readonly kind: infer Kind }
    ? Kind
    : never;
}[keyof M];

type ReadingFailure =
  | KindsOf<typeof import("../../files/netcdf/errors.js")>
  | KindsOf<typeof import("../../files/zarr/errors.js")>;

/**
 * The kind of answer to each failure of reading; a missing failure does not compile. None is answered by 404: zarr clients
 * replace such a chunk with fill values, so a failure would become data.
 */
const reading = {
  "not-readable-format": "unreadable-format",
  "damaged-file": "damaged-data",
  "too-large": "data-too-large",
  "outside-roots": "not-yours",
  "file-gone": "data-gone",
  "file-changed": "data-unavailable",
  "file-unreachable": "data-unavailable",
  "reading-timeout": "data-unavailable",
  "reading-busy": "data-unavailable",
  "join-refused": "cannot-join",
  "join-outdated": "data-changed",
  "join-preparing": "join-in-preparation",
} as const satisfies Record<ReadingFailure, string>;

/** Every kind that a package can throw, and unexpected failures. */
export type ErrorKind =
  | (typeof reading)[ReadingFailure]
  | KindsOf<typeof import("../../platform/errors.js")>
  | KindsOf<typeof import("../../domain/errors.js")>
  | KindsOf<typeof import("../../files/errors.js")>
  | KindsOf<typeof import("../../index/errors.js")>
  | KindsOf<typeof import("../../identity/errors.js")>
  | KindsOf<typeof import("../errors.js")>
  | "internal-error";

export const READING_FAILURES: ReadonlyMap<string, ErrorKind> = new Map(Object.entries(reading));

/** The answer for a kind; an unknown kind is an internal error. */
export const httpTraits = (kind: string): HttpTraits =>
  Object.hasOwn(HTTP, kind) ? HTTP[kind as ErrorKind] : HTTP["internal-error"];
