import type { Handler } from "../../contract/operation.js";
import { NoSuchPath } from "../../errors.js";
import { METRICS_TYPE } from "../../metrics/metrics.js";
import type { Services } from "../services.js";

/** What is measured, for whoever looks after the service on its own machine; to others there is nothing here. */
export function metrics({ scrape }: Services): Handler<"metrics"> {
  return async ({ caller }) => {
    if (scrape === undefined || !caller.isLocal()) {
      throw new NoSuchPath("There is nothing at /metrics.");
    }
    const headers = { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store" };
    return { status: 200, type: "text/plain", headers, body: await scrape() };
  };
}
