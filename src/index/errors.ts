import { DomainError } from "../platform/errors.js";

/** The answer of Solr to a search is longer than the service accepts. */
export class AnswerTooLong extends DomainError {
  readonly kind = "too-many-results";
  constructor() {
    super(
      "This search needs an answer of Solr that is too long for one request; please search for less.",
    );
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
