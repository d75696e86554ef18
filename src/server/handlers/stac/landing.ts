/** The landing page of the STAC API, its conformance classes and its contract. */
import { CONFORMANCE } from "../../formats/stac-api/conformance.js";
import { LANDING_POLICY, landingHtml, landingPage } from "../../formats/stac-api/landing.js";
import { CONTRACT_TYPE, JSON_TYPE } from "../../formats/stac-api/links.js";
import { NO_CACHE } from "../common/caching.js";
import type { Handler } from "../services.js";
import { indexOf } from "./known-values.js";
import { projectIds } from "./projects.js";

/** JSON for clients, a page for browsers. */
export const stacLanding: Handler<"stacLanding"> = async (request, services) => {
  const { caller } = request;
  const ids = await projectIds(indexOf(request, services));
  const headers = { ...NO_CACHE, Vary: "Accept" };
  if (caller.wantsPage) {
    const more = { ...headers, "Content-Security-Policy": LANDING_POLICY };
    const body = landingHtml(caller.base, ids);
    return { status: 200, type: "text/html", headers: more, body };
  }
  return { status: 200, type: JSON_TYPE, headers, body: landingPage(caller.base, ids) };
};

export const stacConformance: Handler<"stacConformance"> = async () => {
  const body = { conformsTo: [...CONFORMANCE] };
  return { status: 200, type: JSON_TYPE, headers: NO_CACHE, body };
};

export const stacApi: Handler<"stacApi"> = async (_, { contract }) => ({
  status: 200,
  type: "application/vnd.oai.openapi+json",
  headers: { ...NO_CACHE, "Content-Type": CONTRACT_TYPE },
  body: { text: contract },
});
