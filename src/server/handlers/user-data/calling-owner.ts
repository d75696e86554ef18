import { type Owner, ownerOf } from "../../../domain/user-data/owner.js";
import { issuerOf } from "../../../identity/auth.js";
import type { Principal } from "../../../identity/principal.js";

interface AuthenticatedRequest {
  readonly principal: Principal;
  readonly caller: { readonly base: string };
}

/** The caller as an owner of data. */
export const callingOwner = ({ principal, caller }: AuthenticatedRequest): Owner =>
  ownerOf(principal, issuerOf(caller.base));
