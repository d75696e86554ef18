import type { Handler } from "../contract/operation.js";
import { FLAVOUR_NAMES, searchableFacets, translation } from "../vocabulary/flavours.js";

/** The flavours, each with every facet by which it can be searched. */
export function getOverview(): Handler<"getOverview"> {
  const body = {
    flavours: [...FLAVOUR_NAMES],
    attributes: Object.fromEntries(
      FLAVOUR_NAMES.map((flavour) => [
        flavour,
        searchableFacets(flavour).map(translation(flavour).name),
      ]),
    ),
  };
  return async () => ({ status: 200, type: "application/json", body });
}
