import type { Handler } from "../../contract/operation.js";
import { STATUS_PAGE_POLICY, statusPage } from "../../formats/pages/status-page.js";
import { worst } from "../../status/probe.js";
import type { Services } from "../services.js";

/** Of this moment, and in two forms. */
const HEADERS = { "Cache-Control": "no-store", Vary: "Accept" };

const time = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** How the service is, as far as everybody may know: neither where anything lies nor of which version it is. */
export function showStatus({ status, clock }: Services): Handler<"showStatus"> {
  return async ({ caller }) => {
    const known = (await status.known()).filter(({ isPublic }) => isPublic);
    const checks = known.map(({ name, finding: { state, says }, since, age }) => ({
      ...{ name, state, says },
      ...(since !== undefined && { since: time(since) }),
      ...(age !== undefined && { age: Math.round(age / 100) / 10 }),
    }));
    const body = { state: worst(checks.map(({ state }) => state)), checks };
    if (!caller.wantsPage) return { status: 200, type: "application/json", headers: HEADERS, body };
    const headers = { ...HEADERS, "Content-Security-Policy": STATUS_PAGE_POLICY };
    return { status: 200, type: "text/html", headers, body: statusPage(body, time(clock())) };
  };
}
