import type { Handler } from "../contract/operation.js";
import { boxes } from "../formats/boxes.js";
import { BOX_FACETS, MAX_BOX_TEXTS } from "../query/boxes.js";
import { withFlavour } from "./asked-flavour.js";
import { fileNumbers } from "./file-numbers.js";
import type { Services } from "./services.js";
import { taggedReply } from "./tagged-reply.js";

/** The different boxes of what is found, and how many files have each. */
export function listBoxes(services: Services): Handler<"listBoxes"> {
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const { found } = await fileNumbers(request, BOX_FACETS, services);
    return taggedReply(request, boxes(found, MAX_BOX_TEXTS));
  };
}
