/** Which facets a metadata search counts. Source: search-semantics, "Facets and flavours". */
import { InvalidParameters } from "../errors.js";
import { COUNTABLE_DETAILS, DETAILS, isDetail } from "../vocabulary/details.js";
import { type CountedField, FACET_NAMES, FACETS } from "../vocabulary/facets.js";
import {
  type Flavour,
  listedFacets,
  searchableFacets,
  translation,
} from "../vocabulary/flavours.js";
import { unknownName } from "../vocabulary/unknown-name.js";

const ALL = new Set(["*", "all"]);

export interface CountedFacetsInput {
  readonly path: { readonly flavour: Flavour };
  readonly query: {
    readonly "multi-version": boolean;
    readonly translate: boolean;
    readonly facets?: readonly string[] | undefined;
  };
}

/**
 * The facets to count, in the order of facets.
 *
 * @throws InvalidParameters that names every unknown facet
 */
export function countedFacets({ path, query }: CountedFacetsInput): CountedField[] {
  const version: readonly CountedField[] = query["multi-version"] ? ["version"] : [];
  const listed = listedFacets(path.flavour).filter((facet) => !FACETS[facet].onRequest);
  const standard = [...listed, ...version];
  const asked = (query.facets ?? []).flatMap((text) => text.split(",")).map((text) => text.trim());
  const { name: nameOf } = translation(path.flavour, query.translate);
  const facets = new Map<string, CountedField>(
    searchableFacets(path.flavour).map((facet) => [nameOf(facet), facet]),
  );
  const chosen = new Set<CountedField>();
  const unknown: string[] = [];
  for (const name of asked.filter((text) => text !== "")) {
    const known =
      facets.get(name) ?? [...version, ...COUNTABLE_DETAILS].find((one) => one === name);
    if (known) chosen.add(known);
    else if (ALL.has(name)) for (const each of standard) chosen.add(each);
    else unknown.push(name);
  }
  if (unknown.length > 0) {
    const known = [...facets.keys(), ...version, ...COUNTABLE_DETAILS];
    const naming = { flavour: path.flavour, translate: query.translate };
    throw new InvalidParameters(
      unknown.map((name) => ({
        name: "facets",
        in: "query",
        reason: `${JSON.stringify(name)} ${uncountable(name) ?? unknownName(name, naming, known)}`,
      })),
    );
  }
  if (chosen.size === 0) return standard;
  const order: readonly CountedField[] = [...FACET_NAMES, "version", ...COUNTABLE_DETAILS];
  return order.filter((field) => chosen.has(field));
}

/** Why the values of a detail are not counted; undefined for what is none. */
function uncountable(name: string): string | undefined {
  if (!isDetail(name)) return undefined;
  return DETAILS[name].kind === "text"
    ? "is not counted: nearly every file or dataset has a value of its own"
    : "is not counted: it has no values but a range";
}
