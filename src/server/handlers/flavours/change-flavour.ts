import type { Handler } from "../../contract/operation.js";
import type { Services } from "../services.js";
import { callingOwner } from "../user-data/calling-owner.js";
import { definitionOf } from "./flavour-definition.js";
import { requireMay, whoseFlavour } from "./flavour-owner.js";

/** Changes a flavour of the caller's own, or as an administrator one for all. */
export function changeFlavour(services: Services): Handler<"changeFlavour"> {
  const { flavours } = services;
  return async (request) => {
    const { path, body, principal } = request;
    const change = { name: body.flavour_name, mapping: body.mapping };
    const from = await whoseFlavour(request, services);
    const own = callingOwner(request);
    const to = body.is_global === undefined ? from : body.is_global ? "all" : own;
    request.exchange.tells({ flavour: change.name ?? path.flavour, isForAll: to === "all" });
    await requireMay(request, to, services);
    const isMoved = (to === "all") !== (from === "all");
    const changed = isMoved
      ? await flavours.move(from, to, path.flavour, change)
      : await flavours.change(from, path.flavour, change);
    return { status: 200, type: "application/json", body: definitionOf(changed, principal) };
  };
}
