import type { Handler } from "../contract/operation.js";
import { why } from "../formats/why.js";
import { buildSearch } from "../query/search.js";
import { whyQuestion } from "../query/why.js";
import { withFlavour } from "./asked-flavour.js";
import { callerKey } from "./caller-key.js";
import { tellSearch } from "./searched.js";
import type { Services } from "./services.js";
import { taggedReply } from "./tagged-reply.js";

/** What each constraint of a search takes away, and what excludes everything. */
export function explain(services: Services): Handler<"explain"> {
  const { solr } = services;
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const { path, query, signal } = request;
    const search = buildSearch({ path, query });
    const question = whyQuestion(search);
    const found = await solr.breakDown(question, { caller: callerKey(request), signal });
    tellSearch(request, search, found.found > 0);
    return taggedReply(request, why(question, found));
  };
}
