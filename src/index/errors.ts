import { DomainError } from "../platform/errors.js";

/** What is asked about a search makes an answer of Solr that is longer than one may be. */
export class AnswerTooLong extends DomainError {
  readonly kind = "too-many-results";
  constructor() {
    super(
      "What is asked about this search is more than is worked out at once; please search for less.",
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
