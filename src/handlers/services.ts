import type { Solr } from "../solr/solr.js";

/** What handlers compose. */
export interface Services {
  readonly solr: Solr;
  /** The service's public address, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
