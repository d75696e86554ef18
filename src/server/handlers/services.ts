import type { Auth } from "../../identity/auth.js";
import type { Storage } from "../../index/collections/storage-probe.js";
import type { AccessParts } from "../access/access-services.js";
import type { OwnFlavours } from "../flavours/own-flavours.js";
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
