import { BOX_FACETS, MAX_BOX_TEXTS } from "../../../domain/aggregation/summary.js";
import type { Handler } from "../../contract/operation.js";
import { boxes } from "../../formats/aggregation/boxes.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { fileNumbers } from "./file-numbers.js";

/** The different boxes of what is found, and how many files have each. */
export function listBoxes(services: Services): Handler<"listBoxes"> {
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const { found } = await fileNumbers(request, BOX_FACETS, services);
    return taggedReply(request, boxes(found, MAX_BOX_TEXTS));
  };
}
