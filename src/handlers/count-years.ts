import type { Handler } from "../contract/operation.js";
import { yearSpan, years } from "../formats/years.js";
import { buildSearch } from "../query/search.js";
import { DATED, SPAN_FACETS, stepsOf, yearAxis } from "../query/years.js";
import { withFlavour } from "./asked-flavour.js";
import { callerKey } from "./caller-key.js";
import { tellSearch } from "./searched.js";
import type { Services } from "./services.js";
import { taggedReply } from "./tagged-reply.js";

/** How many files of what is found there are in which years. */
export function countYears(services: Services): Handler<"countYears"> {
  const { solr } = services;
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const { path, query, signal } = request;
    const search = buildSearch({ path: { ...path, uniq_key: "file" }, query });
    const { collection, filters } = search;
    const asker = { caller: callerKey(request), signal };
    const found = await solr.breakDown({ collection, filters, facets: SPAN_FACETS }, asker);
    tellSearch(request, search, found.found > 0);
    const span = yearSpan(found);
    const axis = span && yearAxis(span, { since: query.since, most: query.bars });
    if (axis === undefined) return taggedReply(request, years(found));
    const dated = { collection, filters: [...filters, ...DATED], facets: {} };
    const counted = await solr.breakDown({ ...dated, steps: stepsOf(axis) }, asker);
    return taggedReply(request, years(found, axis, counted));
  };
}
