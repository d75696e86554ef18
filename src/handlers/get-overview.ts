import type { Handler } from "../contract/operation.js";
import { FLAVOUR_NAMES, listedFacets } from "../vocabulary/flavours.js";

/** The flavours, each with the facets that it lists. */
export function getOverview(): Handler<"getOverview"> {
  const body = {
    flavours: [...FLAVOUR_NAMES],
    attributes: Object.fromEntries(
      FLAVOUR_NAMES.map((flavour) => [flavour, listedFacets(flavour)]),
    ),
  };
  return async () => ({ status: 200, type: "application/json", body });
}
