/** The landing page of the STAC API, its conformance classes and its contract. */
import type { Handler } from "../../contract/operation.js";
import { CONFORMANCE } from "../../formats/stac-api/conformance.js";
import { LANDING_POLICY, landingHtml, landingPage } from "../../formats/stac-api/landing.js";
import { CONTRACT_TYPE, JSON_TYPE } from "../../formats/stac-api/links.js";
import type { Services } from "../services.js";
import { clientOf } from "./known-values.js";
import { projectIds } from "./projects.js";

/** JSON for clients, a page for browsers. */
export function stacLanding(services: Services): Handler<"stacLanding"> {
  return async (request) => {
    const { caller } = request;
    const ids = await projectIds(services, clientOf(request));
    const headers = { "Cache-Control": "no-cache", Vary: "Accept" };
    if (caller.wantsPage) {
      const more = { ...headers, "Content-Security-Policy": LANDING_POLICY };
      const body = landingHtml(caller.base, ids);
      return { status: 200, type: "text/html", headers: more, body };
    }
    return { status: 200, type: JSON_TYPE, headers, body: landingPage(caller.base, ids) };
  };
}

export function stacConformance(): Handler<"stacConformance"> {
  const body = { conformsTo: [...CONFORMANCE] };
  const headers = { "Cache-Control": "no-cache" };
  return async () => ({ status: 200, type: JSON_TYPE, headers, body });
}

export function stacApi({ contract }: Services): Handler<"stacApi"> {
  const headers = { "Cache-Control": "no-cache", "Content-Type": CONTRACT_TYPE };
  const type = "application/vnd.oai.openapi+json";
  return async () => ({ status: 200, type, headers, body: { text: contract } });
}
