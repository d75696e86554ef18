/** The operations on flavours: list, add, change and delete. */
import type { components } from "../../../../generated/openapi.js";
import { invalidParameter } from "../../../domain/errors.js";
import {
  builtIn,
  FLAVOURS,
  type Flavour,
  searchableFacets,
  translation,
} from "../../../domain/vocabulary/flavours.js";
import { AdministratorsOnly } from "../../../identity/errors.js";
import type { Principal } from "../../../identity/principal.js";
import type { Sender } from "../../contract/operation.js";
import type { FlavourOwner, OwnFlavour } from "../../flavours/own-flavours.js";
import { privateCaching } from "../common/caching.js";
import { callingOwner, owningCaller } from "../common/client.js";
import type { Handler, Services } from "../services.js";

const namesIn = (flavour: Flavour): string[] =>
  searchableFacets(flavour).map(translation(flavour).name);
const BUILT_IN = Object.values(FLAVOURS).map((one) => [one.name, namesIn(one)] as const);

/** The flavours that the caller can search in, each with the facets by which it is searched. */
export const getOverview: Handler<"getOverview"> = async (request, { flavours }) => {
  const all = new Map(BUILT_IN);
  for (const { flavour } of flavours.visible(owningCaller(request))) {
    // If two flavours share a name, the caller's own comes first: a search uses that one.
    if (!all.has(flavour.name)) all.set(flavour.name, namesIn(flavour));
  }
  const body = { flavours: [...all.keys()], attributes: Object.fromEntries(all) };
  const headers = privateCaching(request.principal);
  return { status: 200, type: "application/json", headers, body };
};

const BUILT_IN_DEFINITIONS = Object.values(FLAVOURS).map(({ name, renamed }) => ({
  flavour_name: name,
  mapping: { ...renamed },
  is_global: true,
  owner: "built in",
}));

/** Lists the flavours in which the caller can search, with their facet names. */
export const listFlavours: Handler<"listFlavours"> = async (request, { flavours }) => {
  const { principal } = request;
  const visible = flavours.visible(owningCaller(request));
  const all = [...BUILT_IN_DEFINITIONS, ...visible.map((one) => definitionOf(one, principal))];
  const body = { total: all.length, flavours: all };
  return { status: 200, type: "application/json", headers: privateCaching(principal), body };
};

async function requireMayChange(
  { principal, caller }: Sender,
  owner: FlavourOwner,
  { auth }: Services,
): Promise<void> {
  if (owner !== "all" || (await auth.isAdministrator(principal, caller.base))) return;
  throw new AdministratorsOnly(
    "Only administrators may make, change or delete flavours that are for all.",
  );
}

interface FlavourRequest extends Sender {
  readonly path: { readonly flavour: string };
  readonly query: { readonly is_global?: boolean | undefined };
}

/** The owner of the flavour in the path: the caller, or "all" if the query says so or the caller has no flavour of that name. */
async function flavourOwner(request: FlavourRequest, services: Services): Promise<FlavourOwner> {
  const { path, query } = request;
  const owner = callingOwner(request);
  if (builtIn(path.flavour) !== undefined) {
    throw invalidParameter("flavour", "is built in, and stays as it is", "path");
  }
  const isOwn = async () =>
    (await services.flavours.has(owner, path.flavour)) ||
    !(await services.flavours.has("all", path.flavour));
  const result = (query.is_global === undefined ? await isOwn() : !query.is_global) ? owner : "all";
  await requireMayChange(request, result, services);
  return result;
}

/** Adds a flavour of the caller, or one for all if the caller is an administrator. */
export const addFlavour: Handler<"addFlavour"> = async (request, services) => {
  const { flavour_name: name, mapping, is_global: isGlobal = false } = request.body;
  request.context.record({ flavour: name, isForAll: isGlobal });
  const owner = isGlobal ? "all" : callingOwner(request);
  await requireMayChange(request, owner, services);
  const added = await services.flavours.add(owner, { name, mapping });
  const body = definitionOf(added, request.principal);
  return { status: 201, type: "application/json", body };
};

/** Changes a flavour of the caller, or one for all if the caller is an administrator. */
export const changeFlavour: Handler<"changeFlavour"> = async (request, services) => {
  const { flavours } = services;
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

/** Deletes a flavour of the caller, or one for all if the caller is an administrator. */
export const deleteFlavour: Handler<"deleteFlavour"> = async (request, services) => {
  const { flavour } = request.path;
  request.context.record({ flavour });
  const owner = await flavourOwner(request, services);
  request.context.record({ isForAll: owner === "all" });
  await services.flavours.remove(owner, flavour);
  const status = `The flavour ${flavour} has been deleted.`;
  return { status: 200, type: "application/json", body: { status } };
};

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
