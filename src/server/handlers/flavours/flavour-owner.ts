/** Finds the owner of a flavour and checks that the caller may change it. */

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

/** @throws AdministratorsOnly if the flavour is for all and the caller is no administrator */
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
 * The owner of the flavour in the path: the caller, or "all" if the query says so or the caller has no flavour of that name.
 *
 * @throws InvalidParameters for a built-in flavour; AdministratorsOnly; the store's errors
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
