import {
  FLAVOURS,
  type Flavour,
  searchableFacets,
  translation,
} from "../../../domain/vocabulary/flavours.js";
import type { Handler } from "../../contract/operation.js";
import { privateCacheHeaders } from "../common/private-cache-headers.js";
import { owningCaller } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";

const namesIn = (flavour: Flavour): string[] =>
  searchableFacets(flavour).map(translation(flavour).name);

/** The flavours that the caller can search in, each with the facets by which it is searched. */
export function getOverview({ flavours }: Services): Handler<"getOverview"> {
  const builtIn = new Map(Object.values(FLAVOURS).map((one) => [one.name, namesIn(one)]));
  return async (request) => {
    const all = new Map(builtIn);
    for (const { flavour } of flavours.visible(owningCaller(request))) {
      // If two flavours share a name, the caller's own comes first: a search uses that one.
      if (!all.has(flavour.name)) all.set(flavour.name, namesIn(flavour));
    }
    const body = { flavours: [...all.keys()], attributes: Object.fromEntries(all) };
    const headers = privateCacheHeaders(request.principal);
    return { status: 200, type: "application/json", headers, body };
  };
}
