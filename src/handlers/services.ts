import type { Auth } from "../auth/auth.js";
import type { Solr } from "../solr/solr.js";

/** What handlers compose. */
export interface Services {
  readonly solr: Solr;
  readonly auth: Auth;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
