import type { Handler } from "../contract/operation.js";
import { entityTag, matches } from "../entity-tag.js";
import { MissingToken } from "../errors.js";
import { facetSummary } from "../formats/facet-summary.js";
import { countedFacets } from "../query/counted-facets.js";
import { buildSearch } from "../query/search.js";
import { callerKey } from "./caller-key.js";
import type { Services } from "./services.js";

/** The facet values of what is found, and how often each occurs. */
export function searchMetadata({ solr }: Services): Handler<"searchMetadata"> {
  return async (request) => {
    const { path, query, headers, principal, signal } = request;
    const facets = countedFacets({ path, query });
    // Names are half of what it takes to sign in as somebody.
    if (facets.includes("user") && principal === undefined) throw new MissingToken();
    const asked = { facets, caller: callerKey(request), signal };
    const counts = await solr.countFacets(buildSearch({ path, query }), asked);
    const shape = facetSummary(counts, path.flavour, query.translate);
    // Written once: for the tag and for the answer.
    const text = JSON.stringify(shape);
    const etag = entityTag(text);
    const caching = { ETag: etag, "Cache-Control": "no-cache" };
    if (matches(headers["If-None-Match"], etag)) return { status: 304, headers: caching };
    return { status: 200, type: "application/json", body: { text, shape }, headers: caching };
  };
}
