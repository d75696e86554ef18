/** Resolves the flavour in a request's path. */

import { InvalidParameters } from "../../../domain/errors.js";
import { nearest } from "../../../domain/text/nearest-names.js";
import type { Owner } from "../../../domain/user-data/owner.js";
import { builtIn, FLAVOUR_NAMES, type Flavour } from "../../../domain/vocabulary/flavours.js";
import type { Principal } from "../../../identity/principal.js";
import type { Caller } from "../../contract/caller.js";
import type { Services } from "../services.js";
import { callingOwner } from "../user-data/calling-owner.js";

interface FlavourRequest {
  readonly path: { readonly flavour: string };
  readonly principal?: Principal | undefined;
  readonly caller: Caller;
}

/**
 * The request with the flavour in place of its name: a built-in one, one of the caller, or one for all.
 *
 * @throws InvalidParameters that names the nearest flavour, if the caller can see none of the name; as OwnFlavours.find
 */
export async function withFlavour<R extends FlavourRequest>(
  request: R,
  { flavours }: Services,
): Promise<R & { readonly path: { readonly flavour: Flavour } }> {
  const { flavour: name } = request.path;
  const known = builtIn(name);
  if (known !== undefined) return inFlavour(request, known);
  const owner = owningCaller(request);
  const own = await flavours.find(name, owner);
  if (own !== undefined) return inFlavour(request, own);
  const visible = flavours.visible(owner).map(({ definition }) => definition.name);
  const near = nearest(name, [...FLAVOUR_NAMES, ...visible]).join(", ");
  const reason = `must be one of ${FLAVOUR_NAMES.join(", ")}, or a flavour of your own or for all; did you mean ${near}?`;
  throw new InvalidParameters([{ name: "flavour", in: "path", reason }]);
}

const inFlavour = <R extends FlavourRequest>(request: R, flavour: Flavour) => ({
  ...request,
  path: { ...request.path, flavour },
});

/** The caller as an owner of flavours; undefined without a token. */
export const owningCaller = ({
  principal,
  caller,
}: Pick<FlavourRequest, "principal" | "caller">): Owner | undefined =>
  principal && callingOwner({ principal, caller });
