import type { Handler } from "../contract/operation.js";
import { boxes } from "../formats/boxes.js";
import { BOX_FACETS, MAX_BOX_TEXTS } from "../query/boxes.js";
import { buildSearch } from "../query/search.js";
import { withFlavour } from "./asked-flavour.js";
import { callerKey } from "./caller-key.js";
import { tellSearch } from "./searched.js";
import type { Services } from "./services.js";
import { taggedReply } from "./tagged-reply.js";

/** The different boxes of what is found, and how many files have each. */
export function listBoxes(services: Services): Handler<"listBoxes"> {
  const { solr } = services;
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const { path, query, signal } = request;
    const search = buildSearch({ path: { ...path, uniq_key: "file" }, query });
    const { collection, filters } = search;
    const question = { collection, filters, facets: BOX_FACETS };
    const found = await solr.breakDown(question, { caller: callerKey(request), signal });
    tellSearch(request, search, found.found > 0);
    return taggedReply(request, boxes(found, MAX_BOX_TEXTS));
  };
}
