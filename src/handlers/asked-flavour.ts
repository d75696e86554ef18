/** The flavour that a request's path names. */
import type { Principal } from "../auth/principal.js";
import type { Caller } from "../contract/caller.js";
import { InvalidParameters } from "../errors.js";
import type { Owner } from "../userdata/owner.js";
import { builtIn, FLAVOUR_NAMES, type Flavour } from "../vocabulary/flavours.js";
import { nearest } from "../vocabulary/nearest.js";
import { callingOwner } from "./calling-owner.js";
import type { Services } from "./services.js";

interface Asked {
  readonly path: { readonly flavour: string };
  readonly principal?: Principal | undefined;
  readonly caller: Caller;
}

/**
 * The same request with the flavour itself in the place of its name: a built-in one, one of the caller's own, or one
 * that is for all.
 *
 * @throws InvalidParameters that names the nearest, where there is none that this caller may know of; as OwnFlavours.find
 */
export async function withFlavour<R extends Asked>(
  request: R,
  { flavours }: Services,
): Promise<R & { readonly path: { readonly flavour: Flavour } }> {
  const { flavour: name } = request.path;
  const owner = owningCaller(request);
  const flavour = builtIn(name) ?? (await flavours.find(name, owner));
  if (flavour !== undefined) return { ...request, path: { ...request.path, flavour } };
  const known = flavours.visible(owner).map(({ definition }) => definition.name);
  const near = nearest(name, [...FLAVOUR_NAMES, ...known]).join(", ");
  const reason = `must be one of ${FLAVOUR_NAMES.join(", ")}, or a flavour of your own or for all; did you mean ${near}?`;
  throw new InvalidParameters([{ name: "flavour", in: "path", reason }]);
}

/** Who calls, as an owner of flavours; nobody without a token. */
export const owningCaller = ({
  principal,
  caller,
}: Pick<Asked, "principal" | "caller">): Owner | undefined =>
  principal && callingOwner({ principal, caller });
