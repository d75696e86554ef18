/** The reader of data: an account, or anybody if the data are public. */
import { anonymous } from "../../../domain/user-data/owner.js";
import type { Reader } from "../../../files/rights/file-rights.js";
import { MissingToken } from "../../../identity/errors.js";
import type { Principal } from "../../../identity/principal.js";
import type { ZarrAccess } from "../../access/zarr-access.js";
import type { Caller } from "../../contract/caller.js";
import { clientKey } from "../common/client-key.js";
import { callingOwner } from "../user-data/calling-owner.js";

/** Hint for people whose browser sends no token. */
export const SHARE_HINT =
  "A browser sends none: a shared address opens in it without one (POST data-portal/share-zarr).";

interface ReadingRequest {
  readonly principal?: Principal | undefined;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/**
 * The reader of a data set.
 *
 * @param id of the data set
 * @param hint added to the error, for pages
 * @throws MissingToken without a token, unless the data are public: also for data that do not exist; what a search throws
 */
export async function dataReader(
  id: string,
  request: ReadingRequest,
  access: ZarrAccess,
  hint?: string,
): Promise<Reader> {
  const { principal, caller } = request;
  if (principal !== undefined) return callingOwner({ principal, caller });
  // Reading the signal makes an abort controller, which most requests do not need.
  if (await access.isPublic(id, request.signal)) return anonymous(clientKey({ caller }));
  throw new MissingToken(hint);
}
