import type { CitationRule } from "../../domain/citations/sources.js";
import type { Auth } from "../../identity/auth.js";
import type { Storage } from "../../index/collections/storage-probe.js";
import type { AccessParts } from "../access/access-services.js";
import type { ReadableData } from "../access/readable-data.js";
import type { ZarrAccess } from "../access/zarr-access.js";
import type { ContractHandler, OperationId } from "../contract/operation.js";
import type { OwnFlavours } from "../flavours/own-flavours.js";
import type { StatusBoard } from "../monitoring/status/board.js";

export interface Services extends AccessParts {
  readonly access: ZarrAccess;
  readonly readable: ReadableData;
  readonly auth: Auth;
  readonly storage: Storage;
  readonly status: StatusBoard;
  readonly flavours: OwnFlavours;
  readonly citations: readonly CitationRule[];
  /** The contract, as JSON. */
  readonly contract: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The metrics of all processes; undefined if they are on their own port. */
  readonly scrape: (() => Promise<string>) | undefined;
}

export type Handler<K extends OperationId> = ContractHandler<K, Services>;
