/** The searches of a cart: what stands in the body -> what Solr is asked. */
import { setImmediate as turn } from "node:timers/promises";
import { InvalidParameters, Issues } from "../../../domain/errors.js";
import { wildcards } from "../../../domain/search/lucene.js";
import { buildSearch, type FacetSearch } from "../../../domain/search/search.js";
import type { Flavour } from "../../../domain/vocabulary/flavours.js";
import { readInnerSearch } from "../../contract/input/inner-search.js";
import type { Request } from "../../contract/operation.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";

type Asked = Request<"downloadCart">;

/** Solr bounds the clauses of a query, and each value is one at least. */
const MAX_VALUES = 4000;
/** The same as in one search: each costs Solr a walk over all values of a field, in which nothing stops it. */
const MAX_WILDCARDS = 200;
/** Milliseconds of work before others get their turn. */
const SLICE = 8;

/**
 * The searches in their order.
 *
 * @throws InvalidParameters that names all that is wrong, each with the place of its search; as withFlavour
 */
export async function cartSearches(
  request: Asked,
  services: Services,
): Promise<readonly FacetSearch[]> {
  const flavours = await flavoursOf(request, services);
  const issues = new Issues();
  const found: FacetSearch[] = [];
  let begun = performance.now();
  for (const [index, { flavour: name, parameters = {} }] of request.body.searches.entries()) {
    const flavour = flavours.get(name ?? request.path.flavour);
    if (flavour === undefined) continue;
    try {
      const query = readInnerSearch(parameters);
      found.push(buildSearch({ path: { ...request.path, flavour }, query }));
    } catch (error) {
      if (!(error instanceof InvalidParameters)) throw error;
      const place = `searches[${index}].parameters`;
      issues.add(
        ...error.issues.map(({ name, reason }) => ({
          ...{ name: `${place}.${name}`, in: "body" as const, reason },
        })),
      );
    }
    if (performance.now() - begun < SLICE) continue;
    await turn();
    begun = performance.now();
  }
  refuseTooMany(found, issues);
  if (issues.any) throw issues.error;
  return found;
}

function refuseTooMany(found: readonly FacetSearch[], issues: Issues): void {
  const values = found.flatMap(({ constraints }) => constraints.flatMap((one) => one.values));
  const wild = values.reduce((sum, value) => sum + wildcards(value), 0);
  const told = { name: "searches", in: "body" } as const;
  if (values.length > MAX_VALUES) {
    issues.add({ ...told, reason: `have more than ${MAX_VALUES} values together` });
  }
  if (wild > MAX_WILDCARDS) {
    issues.add({ ...told, reason: `have more than ${MAX_WILDCARDS} wildcards together` });
  }
}

/** The flavours that are named, each looked for once. */
async function flavoursOf(
  request: Asked,
  services: Services,
): Promise<ReadonlyMap<string, Flavour>> {
  const { body, path } = request;
  const found = new Map<string, Flavour>();
  for (const [index, { flavour: name = path.flavour }] of body.searches.entries()) {
    if (found.has(name)) continue;
    try {
      const named = await withFlavour({ ...request, path: { ...path, flavour: name } }, services);
      found.set(name, named.path.flavour);
    } catch (error) {
      if (!(error instanceof InvalidParameters)) throw error;
      const [{ reason } = { reason: "is not known" }] = error.issues;
      throw new InvalidParameters([{ name: `searches[${index}].flavour`, in: "body", reason }]);
    }
  }
  return found;
}
