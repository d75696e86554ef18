import type { Handler } from "../contract/operation.js";
import type { Services } from "./services.js";

/** Ready when Solr can be searched, and state and disk can be written; otherwise their own failure is the answer. */
export function ready({ solr, storage }: Services): Handler<"ready"> {
  return async ({ signal }) => {
    await Promise.all([solr.check(signal), storage.check()]);
    return { status: 200, type: "application/json", body: { status: "ready" } };
  };
}
