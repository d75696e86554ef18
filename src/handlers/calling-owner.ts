import { issuerOf } from "../auth/auth.js";
import type { Principal } from "../auth/principal.js";
import { type Owner, ownerOf } from "../userdata/owner.js";

interface Asked {
  readonly principal: Principal;
  readonly caller: { readonly base: string };
}

/** Whoever sends a request, as an owner of data. */
export const callingOwner = ({ principal, caller }: Asked): Owner =>
  ownerOf(principal, issuerOf(caller.base));
