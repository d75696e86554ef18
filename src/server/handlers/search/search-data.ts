import type { Handler } from "../../contract/operation.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { answerList } from "./answer-list.js";
import { pathFormat } from "./list-formats.js";

/** The locations of the results of a search, one per line, streamed from Solr. */
export function searchData(services: Services): Handler<"searchData"> {
  return async (received) => {
    const request = await withFlavour(received, services);
    const format = pathFormat(request.path.uniq_key);
    return answerList(request, services, format, { start: request.query.start });
  };
}
