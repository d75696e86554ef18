import type { AccessParts } from "../access/parts.js";
import type { Auth } from "../auth/auth.js";
import type { OwnFlavours } from "../flavours/own-flavours.js";
import type { Storage } from "../solr/storage.js";
import type { StatusBoard } from "../status/board.js";

/** What handlers compose. */
export interface Services extends AccessParts {
  readonly auth: Auth;
  readonly storage: Storage;
  readonly status: StatusBoard;
  readonly flavours: OwnFlavours;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** What is measured, of all processes; undefined where it is to be had elsewhere. */
  readonly scrape: (() => Promise<string>) | undefined;
}
