import type { AccessParts } from "../access/parts.js";
import type { Auth } from "../auth/auth.js";
import type { Storage } from "../solr/storage.js";

/** What handlers compose. */
export interface Services extends AccessParts {
  readonly auth: Auth;
  readonly storage: Storage;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
