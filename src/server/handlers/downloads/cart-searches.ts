/** The searches of a cart: the body of the request -> searches of Solr. */
import { InvalidParameters, Issues, invalidParameter } from "../../../domain/errors.js";
import { wildcards } from "../../../domain/search/lucene.js";
import type { FacetSearch } from "../../../domain/search/search.js";
import type { Flavour } from "../../../domain/vocabulary/flavours.js";
import { TimeSlice } from "../../../platform/concurrency/time-slices.js";
import { readInnerSearch } from "../../contract/input/decode.js";
import type { Request } from "../../contract/operation.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { requestedSearch } from "../search/requested-search.js";
import type { Services } from "../services.js";

type Received = Request<"downloadCart">;

/** Solr bounds the clauses of a query, and each value is one at least. */
const MAX_VALUES = 4000;
/** The same as in one search: each costs Solr a walk over all values of a field, in which nothing stops it. */
const MAX_WILDCARDS = 200;

/** The searches in their order. An error names everything that is wrong, each with the path of its search in the body. */
export async function cartSearches(
  request: Received,
  services: Services,
): Promise<readonly FacetSearch[]> {
  const flavours = await flavoursOf(request, services);
  const issues = new Issues();
  const found: FacetSearch[] = [];
  const slice = new TimeSlice();
  for (const [index, { flavour: name, parameters = {} }] of request.body.searches.entries()) {
    const flavour = flavours.get(name ?? request.path.flavour);
    if (flavour === undefined) continue;
    if (issues.isFull) break;
    try {
      const query = readInnerSearch(parameters);
      found.push(requestedSearch({ ...request, path: { ...request.path, flavour }, query }));
    } catch (error) {
      if (!(error instanceof InvalidParameters)) throw error;
      for (const { name, reason } of error.issues) {
        issues.add({ name: `searches[${index}].parameters.${name}`, in: "body", reason });
      }
    }
    if (slice.isOver) await slice.next();
  }
  refuseTooMany(found, issues);
  if (issues.any) throw issues.error;
  return found;
}

function refuseTooMany(found: readonly FacetSearch[], issues: Issues): void {
  const values = found.flatMap(({ constraints }) => constraints.flatMap((one) => one.values));
  const wild = values.reduce((sum, value) => sum + wildcards(value), 0);
  const where = { name: "searches", in: "body" } as const;
  if (values.length > MAX_VALUES) {
    issues.add({ ...where, reason: `have more than ${MAX_VALUES} values together` });
  }
  if (wild > MAX_WILDCARDS) {
    issues.add({ ...where, reason: `have more than ${MAX_WILDCARDS} wildcards together` });
  }
}

/** The flavours that are named, each looked for once. */
async function flavoursOf(
  request: Received,
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
      throw invalidParameter(`searches[${index}].flavour`, reason, "body");
    }
  }
  return found;
}
