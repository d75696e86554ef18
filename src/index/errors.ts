import { DomainError } from "../platform/errors.js";

/** Solr's answer to a search is longer than the service accepts. */
export class AnswerTooLong extends DomainError {
  readonly kind = "too-many-results";
  constructor() {
    super(
      "This search needs an answer from Solr that is too long for one request. Narrow the search.",
    );
  }
}

/** Solr cannot be reached, broke an answer off, or failed. */
export class SolrUnavailable extends DomainError {
  readonly kind = "search-unavailable";
}

/** Solr did not answer by its deadline. */
export class SolrTimeout extends DomainError {
  readonly kind = "search-timeout";
}

/** Solr refused a request: a bug of this service, or a collection with another schema. */
export class SolrRefused extends DomainError {
  readonly kind = "search-refused";
}

/** A search whose wildcards Solr cannot evaluate in time. */
export class TooComplexSearch extends DomainError {
  readonly kind = "search-too-complex";
  constructor(options?: ErrorOptions) {
    super("This search has too many wildcards or values. Use fewer of them.", options);
  }
}
