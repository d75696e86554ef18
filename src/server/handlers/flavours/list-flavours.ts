import { FLAVOURS } from "../../../domain/vocabulary/flavours.js";
import type { Handler } from "../../contract/operation.js";
import { callersOwn } from "../common/private-cache-headers.js";
import type { Services } from "../services.js";
import { definitionOf } from "./flavour-definition.js";
import { owningCaller } from "./requested-flavour.js";

/** Every flavour that the caller can search in, with its names. */
export function listFlavours({ flavours }: Services): Handler<"listFlavours"> {
  const builtIn = Object.values(FLAVOURS).map(({ name, renamed }) => ({
    ...{ flavour_name: name, mapping: { ...renamed }, is_global: true, owner: "built in" },
  }));
  return async (request) => {
    const { principal } = request;
    const visible = flavours.visible(owningCaller(request));
    const all = [...builtIn, ...visible.map((one) => definitionOf(one, principal))];
    const body = { total: all.length, flavours: all };
    return { status: 200, type: "application/json", headers: callersOwn(principal), body };
  };
}
