/**
 * What can go wrong, in the words of the domain, and the one table that knows HTTP.
 *
 * An error's message is for the caller. Where the caller must not see the inside (5xx), the
 * table's own sentence is sent instead, and message and cause go to the log.
 */

/** One reason why a request is refused, bound to the parameter that caused it. */
export interface ParameterIssue {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "body";
  readonly reason: string;
}

export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  override get name(): string {
    return this.constructor.name;
  }
}

/** Parameters that are unknown or have values that are not valid. */
export class InvalidParameters extends DomainError {
  readonly kind = "invalid-parameters";
  constructor(readonly issues: readonly ParameterIssue[]) {
    super(issues.map(({ name, reason }) => `${name}: ${reason}`).join("; "));
  }
}

/** Nothing is found where a catalogue of nothing would be of no use. */
export class NoEntries extends DomainError {
  readonly kind = "no-entries";
  constructor() {
    super("Nothing is found for this search.");
  }
}

/** The same, for the one operation that answers it with 404 (specification, section 7). */
export class NoItems extends DomainError {
  readonly kind = "no-items";
  constructor() {
    super("Nothing is found for this search.");
  }
}

/** More is found than the caller wants to have. */
export class TooManyResults extends DomainError {
  readonly kind = "too-many-results";
  constructor(found: number, limit: number) {
    super(`${found} entries are found, but max-results is ${limit}.`);
  }
}

/** Solr cannot be reached, broke off, or is itself not well. */
export class SolrUnavailable extends DomainError {
  readonly kind = "search-unavailable";
}

/** Solr did not answer by its deadline. */
export class SolrTimeout extends DomainError {
  readonly kind = "search-timeout";
}

/** Solr refused a request of ours: a fault on this side, or a collection of another form. */
export class SolrRefused extends DomainError {
  readonly kind = "search-refused";
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
  "search-too-complex": { status: 422, title: "Search too complex" },
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
    detail: "The search backend did not accept this search.",
  },
  "search-unavailable": {
    status: 503,
    title: "Search backend unavailable",
    detail: "The search backend cannot be reached at the moment.",
    retryAfter: 5,
  },
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
