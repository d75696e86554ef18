/** Which facets a metadata search counts. Source: search-semantics, "Facets and flavours". */
import { InvalidParameters } from "../errors.js";
import { type CountedField, FACET_NAMES, FACETS } from "../vocabulary/facets.js";
import { type Flavour, searchableFacets, translation } from "../vocabulary/flavours.js";
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
  const standard = [...FACET_NAMES.filter((facet) => !FACETS[facet].onRequest), ...version];
  const asked = (query.facets ?? []).flatMap((text) => text.split(",")).map((text) => text.trim());
  const { name: nameOf } = translation(path.flavour, query.translate);
  const facets = new Map<string, CountedField>(
    searchableFacets(path.flavour).map((facet) => [nameOf(facet), facet]),
  );
  const chosen = new Set<CountedField>();
  const unknown: string[] = [];
  for (const name of asked.filter((text) => text !== "")) {
    const known = facets.get(name) ?? version.find((field) => field === name);
    if (known) chosen.add(known);
    else if (ALL.has(name)) for (const each of standard) chosen.add(each);
    else unknown.push(name);
  }
  if (unknown.length > 0) {
    const known = [...facets.keys(), ...version];
    const naming = { flavour: path.flavour, translate: query.translate };
    throw new InvalidParameters(
      unknown.map((name) => ({
        name: "facets",
        in: "query",
        reason: `${JSON.stringify(name)} ${unknownName(name, naming, known)}`,
      })),
    );
  }
  if (chosen.size === 0) return standard;
  const order: readonly CountedField[] = [...FACET_NAMES, "version"];
  return order.filter((field) => chosen.has(field));
}
