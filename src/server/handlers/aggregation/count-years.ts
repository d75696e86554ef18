import { DATED, SPAN_FACETS, stepsOf, yearAxis } from "../../../domain/aggregation/years.js";
import type { Handler } from "../../contract/operation.js";
import { yearSpan, years } from "../../formats/aggregation/years.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { fileNumbers } from "./file-numbers.js";

/** How many files of what is found there are in which years. */
export function countYears(services: Services): Handler<"countYears"> {
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const { since, bars: most } = request.query;
    const { search, found, client } = await fileNumbers(request, SPAN_FACETS, services);
    const span = yearSpan(found);
    const axis = span && yearAxis(span, { since, most });
    if (axis === undefined) return taggedReply(request, years(found, span));
    const { collection, filters } = search;
    const dated = { collection, filters: [...filters, ...DATED], facets: {} };
    const counted = await services.solr.breakDown({ ...dated, steps: stepsOf(axis) }, client);
    return taggedReply(request, years(found, span, { axis, steps: counted.steps }));
  };
}
