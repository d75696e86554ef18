/** An own flavour, as the contract describes it. */
import type { components } from "../../../../generated/openapi.js";
import type { Principal } from "../../../identity/principal.js";
import type { OwnFlavour } from "../../flavours/own-flavours.js";

/** @param principal whose it is, unless it is for all: nobody sees those of others */
export function definitionOf(
  { flavour, owner }: OwnFlavour,
  principal: Principal | undefined,
): components["schemas"]["FlavourDefinition"] {
  const isGlobal = owner === undefined;
  return {
    flavour_name: flavour.name,
    mapping: { ...flavour.renamed },
    is_global: isGlobal,
    owner: isGlobal ? "global" : (principal?.username ?? ""),
  };
}
