import type { Handler } from "../../contract/operation.js";
import type { Services } from "../services.js";
import { whoseFlavour } from "./flavour-owner.js";

/** Takes a flavour of the caller's own out, or as an administrator one for all. */
export function deleteFlavour(services: Services): Handler<"deleteFlavour"> {
  return async (request) => {
    const { flavour } = request.path;
    request.exchange.tells({ flavour });
    const whose = await whoseFlavour(request, services);
    request.exchange.tells({ isForAll: whose === "all" });
    await services.flavours.remove(whose, flavour);
    const status = `The flavour ${flavour} has been deleted.`;
    return { status: 200, type: "application/json", body: { status } };
  };
}
