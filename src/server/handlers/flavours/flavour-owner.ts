/** Whose flavour is meant, and whether the caller may change it. */

import { InvalidParameters } from "../../../domain/errors.js";
import { builtIn } from "../../../domain/vocabulary/flavours.js";
import { AdministratorsOnly } from "../../../identity/errors.js";
import type { Principal } from "../../../identity/principal.js";
import type { Caller } from "../../contract/caller.js";
import type { FlavourOwner } from "../../flavours/own-flavours.js";
import type { Services } from "../services.js";
import { callingOwner } from "../user-data/calling-owner.js";

interface SignedRequest {
  readonly principal: Principal;
  readonly caller: Caller;
}

/** @throws AdministratorsOnly where it is for all and the caller is none */
export async function requireMayChange(
  request: SignedRequest,
  owner: FlavourOwner,
  { auth }: Services,
): Promise<void> {
  if (owner !== "all") return;
  if (await auth.isAdministrator(request.principal, request.caller.base)) return;
  throw new AdministratorsOnly(
    "Only administrators may make, change or delete flavours that are for all.",
  );
}

interface FlavourRequest extends SignedRequest {
  readonly path: { readonly flavour: string };
  readonly query: { readonly is_global?: boolean | undefined };
}

/**
 * Whose the flavour of a path is: the caller's, or for all where that is asked for or the caller has none of the name.
 *
 * @throws InvalidParameters for a built-in one; AdministratorsOnly; what the store throws
 */
export async function flavourOwner(
  request: FlavourRequest,
  services: Services,
): Promise<FlavourOwner> {
  const { path, query } = request;
  const owner = callingOwner(request);
  if (builtIn(path.flavour) !== undefined) {
    const reason = "is built in, and stays as it is";
    throw new InvalidParameters([{ name: "flavour", in: "path", reason }]);
  }
  const isOwn = async () =>
    (await services.flavours.has(owner, path.flavour)) ||
    !(await services.flavours.has("all", path.flavour));
  const result = (query.is_global === undefined ? await isOwn() : !query.is_global) ? owner : "all";
  await requireMayChange(request, result, services);
  return result;
}
