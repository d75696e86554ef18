/** Facet names in requests. */
import { type CountedField, FACETS } from "../vocabulary/facets.js";
import {
  type Flavour,
  listedFacets,
  searchableFacets,
  translation,
} from "../vocabulary/flavours.js";
import type { Naming } from "../vocabulary/unknown-name.js";

export interface NamesInput {
  readonly path: { readonly flavour: Flavour };
  readonly query: { readonly "multi-version": boolean; readonly translate: boolean };
}

/** Stand for the default facets or fields. */
export const ALL: ReadonlySet<string> = new Set(["*", "all"]);

export const namingOf = ({ path, query }: NamesInput): Naming => ({
  flavour: path.flavour,
  translate: query.translate,
});

/** Names from repeated and comma-separated parameters. */
export const listedNames = (texts: readonly string[] = []): string[] =>
  texts
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");

const versionOf = ({ query }: NamesInput): readonly "version"[] =>
  query["multi-version"] ? ["version"] : [];

/** Facets by the request's names; `version` is last, if all versions are searched. */
export function facetsByName(input: NamesInput): Map<string, CountedField> {
  const { flavour, translate } = namingOf(input);
  const { name } = translation(flavour, translate);
  const facets: readonly CountedField[] = [...searchableFacets(flavour), ...versionOf(input)];
  return new Map(facets.map((facet) => [name(facet), facet]));
}

/** The facets of a response if none are requested by name. */
export const standardFacets = (input: NamesInput): CountedField[] => [
  ...listedFacets(input.path.flavour).filter((facet) => !FACETS[facet].onRequest),
  ...versionOf(input),
];
