import type { Reader } from "../../../files/rights/file-rights.js";
import { STORE_ENDS } from "../../../files/zarr/address.js";
import { issuerOf } from "../../../identity/auth.js";
import { InvalidToken } from "../../../identity/errors.js";
import type { Share } from "../../../identity/tokens/shares.js";
import type { Caller } from "../../contract/caller.js";
import type { Services } from "../services.js";

/**
 * Resolves the ticket of a shared address, which must be of the data set in the address.
 *
 * @throws InvalidToken; SolrUnavailable, SolrTimeout
 */
export async function resolveShare(
  path: { readonly ticket: string; readonly store: string },
  caller: Caller,
  { auth }: Services,
): Promise<Share & { readonly by: Reader }> {
  const ticket = await auth.shares.verify(issuerOf(caller.base), path.ticket);
  if (Object.values(STORE_ENDS).some((end) => ticket.dataset + end === path.store)) {
    return { ...ticket, by: { ...ticket.by, isSharer: true } };
  }
  throw new InvalidToken("The address is not valid, or has expired.", "share");
}
