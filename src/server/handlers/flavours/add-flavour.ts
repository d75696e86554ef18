import type { Handler } from "../../contract/operation.js";
import type { Services } from "../services.js";
import { callingOwner } from "../user-data/calling-owner.js";
import { definitionOf } from "./flavour-definition.js";
import { requireMay } from "./flavour-owner.js";

/** Makes a flavour, the caller's own or one for all. */
export function addFlavour(services: Services): Handler<"addFlavour"> {
  return async (request) => {
    const { flavour_name: name, mapping, is_global: isGlobal } = request.body;
    request.exchange.tells({ flavour: name, isForAll: isGlobal });
    const whose = isGlobal ? "all" : callingOwner(request);
    await requireMay(request, whose, services);
    const added = await services.flavours.add(whose, { name, mapping });
    const body = definitionOf(added, request.principal);
    return { status: 201, type: "application/json", body };
  };
}
