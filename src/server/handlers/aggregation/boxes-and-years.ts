/** The operations that count the files of a search by box and by year. */
import { BOX_FACETS, MAX_BOX_TEXTS } from "../../../domain/aggregation/summary.js";
import { DATED, SPAN_FACETS, yearAxis, yearHistogram } from "../../../domain/aggregation/years.js";
import type { Handler } from "../../contract/operation.js";
import { boxes } from "../../formats/aggregation/boxes.js";
import { yearSpan, years } from "../../formats/aggregation/years.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { fileNumbers } from "./file-numbers.js";

/** Lists the distinct boxes of the files found, with the number of files of each. */
export function listBoxes(services: Services): Handler<"listBoxes"> {
  return async (received) => {
    const request = await withFlavour(received, services);
    const { found } = await fileNumbers(request, BOX_FACETS, services);
    return taggedReply(request, boxes(found, MAX_BOX_TEXTS));
  };
}

/** Counts the files found in each year. */
export function countYears(services: Services): Handler<"countYears"> {
  return async (received) => {
    const request = await withFlavour(received, services);
    const { since, bars: most } = request.query;
    const { search, found, client } = await fileNumbers(request, SPAN_FACETS, services);
    const span = yearSpan(found);
    const axis = span && yearAxis(span, { since, maxBars: most });
    if (axis === undefined) return taggedReply(request, years(found, span));
    const { filters } = search;
    const dated = { filters: [...filters, ...DATED], facets: {} };
    const counted = await services.solr.aggregateFacets(
      { ...dated, steps: yearHistogram(axis) },
      client,
    );
    return taggedReply(request, years(found, span, { axis, steps: counted.steps }));
  };
}
