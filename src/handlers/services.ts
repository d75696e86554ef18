import type { Auth } from "../auth/auth.js";
import type { Solr } from "../solr/solr.js";
import type { RegistrationRule } from "../userdata/registration-rule.js";
import type { Datasets } from "../zarr/datasets.js";

/** What handlers compose. */
export interface Services {
  readonly solr: Solr;
  readonly auth: Auth;
  readonly datasets: Datasets;
  /** Folders below which files may be read. */
  readonly dataRoots: readonly string[];
  /** What users may register, and read as their own. */
  readonly registration: RegistrationRule;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
