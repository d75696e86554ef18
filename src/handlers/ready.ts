import type { Handler } from "../contract/operation.js";
import type { Services } from "./services.js";

/** Ready when Solr can be searched; otherwise Solr's own failure is the answer. */
export function ready({ solr }: Services): Handler<"ready"> {
  return async ({ signal }) => {
    await solr.check(signal);
    return { status: 200, type: "application/json", body: { status: "ready" } };
  };
}
