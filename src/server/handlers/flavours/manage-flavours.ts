/** The operations on flavours: list, add, change and delete. */
import type { components } from "../../../../generated/openapi.js";
import { FLAVOURS } from "../../../domain/vocabulary/flavours.js";
import type { Principal } from "../../../identity/principal.js";
import type { Handler } from "../../contract/operation.js";
import type { OwnFlavour } from "../../flavours/own-flavours.js";
import { privateCacheHeaders } from "../common/private-cache-headers.js";
import type { Services } from "../services.js";
import { callingOwner } from "../user-data/calling-owner.js";
import { flavourOwner, requireMayChange } from "./flavour-owner.js";
import { owningCaller } from "./requested-flavour.js";

/** Lists the flavours in which the caller can search, with their facet names. */
export function listFlavours({ flavours }: Services): Handler<"listFlavours"> {
  const builtIn = Object.values(FLAVOURS).map(({ name, renamed }) => ({
    flavour_name: name,
    mapping: { ...renamed },
    is_global: true,
    owner: "built in",
  }));
  return async (request) => {
    const { principal } = request;
    const visible = flavours.visible(owningCaller(request));
    const all = [...builtIn, ...visible.map((one) => definitionOf(one, principal))];
    const body = { total: all.length, flavours: all };
    return { status: 200, type: "application/json", headers: privateCacheHeaders(principal), body };
  };
}

/** Adds a flavour of the caller, or one for all if the caller is an administrator. */
export function addFlavour(services: Services): Handler<"addFlavour"> {
  return async (request) => {
    const { flavour_name: name, mapping, is_global: isGlobal = false } = request.body;
    request.context.record({ flavour: name, isForAll: isGlobal });
    const owner = isGlobal ? "all" : callingOwner(request);
    await requireMayChange(request, owner, services);
    const added = await services.flavours.add(owner, { name, mapping });
    const body = definitionOf(added, request.principal);
    return { status: 201, type: "application/json", body };
  };
}

/** Changes a flavour of the caller, or one for all if the caller is an administrator. */
export function changeFlavour(services: Services): Handler<"changeFlavour"> {
  const { flavours } = services;
  return async (request) => {
    const { path, body, principal } = request;
    const change = { name: body.flavour_name, mapping: body.mapping };
    const from = await flavourOwner(request, services);
    const own = callingOwner(request);
    const to = body.is_global === undefined ? from : body.is_global ? "all" : own;
    request.context.record({ flavour: change.name ?? path.flavour, isForAll: to === "all" });
    await requireMayChange(request, to, services);
    const isMoved = (to === "all") !== (from === "all");
    const changed = isMoved
      ? await flavours.move(from, to, path.flavour, change)
      : await flavours.change(from, path.flavour, change);
    return { status: 200, type: "application/json", body: definitionOf(changed, principal) };
  };
}

/** Deletes a flavour of the caller, or one for all if the caller is an administrator. */
export function deleteFlavour(services: Services): Handler<"deleteFlavour"> {
  return async (request) => {
    const { flavour } = request.path;
    request.context.record({ flavour });
    const owner = await flavourOwner(request, services);
    request.context.record({ isForAll: owner === "all" });
    await services.flavours.remove(owner, flavour);
    const status = `The flavour ${flavour} has been deleted.`;
    return { status: 200, type: "application/json", body: { status } };
  };
}

/** A flavour as the contract describes it. @param principal its owner, unless it is for all */
function definitionOf(
  { flavour, owner }: OwnFlavour,
  principal: Principal | undefined,
): components["schemas"]["FlavourDefinition"] {
  const isGlobal = owner === undefined;
  return {
    flavour_name: flavour.name,
    mapping: { ...flavour.renamed },
    is_global: isGlobal,
    owner: isGlobal ? "global" : (principal?.username ?? ""),
  };
}
