import { SolrTimeout } from "../../../index/errors.js";
import type { Handler } from "../../contract/operation.js";
import type { Services } from "../services.js";

/** Milliseconds; whoever asks whether to send requests here does not wait for as long as a search may. */
const PATIENCE = 4000;

/** Ready when Solr can be searched, and state and disk can be written; otherwise their own failure is the answer. */
export function ready({ solr, storage }: Services): Handler<"ready"> {
  return async ({ signal }) => {
    const late = AbortSignal.timeout(PATIENCE);
    const lateness = new Promise<never>((_, reject) => {
      const say = () => reject(new SolrTimeout(`not ready within ${PATIENCE} ms`));
      late.addEventListener("abort", say, { once: true });
    });
    const checks = [solr.check(AbortSignal.any([signal, late])), storage.check()];
    await Promise.race([Promise.all(checks), lateness]);
    return { status: 200, type: "application/json", body: { status: "ready" } };
  };
}
