/** What is told of a name that is none here: what was meant by it, or what it is most like. */

import { nearest } from "../text/nearest-names.js";
import { FACETS, type Facet } from "./facets.js";
import { FLAVOURS, type Flavour, searchableFacets, translation } from "./flavours.js";

/** Whose names are spoken. */
export interface Naming {
  readonly flavour: Flavour;
  /** `false` where the native names hold, whatever the flavour. */
  readonly translate: boolean;
}

const joined = new Intl.ListFormat("en", { type: "disjunction" });
const sameName = (name: string): string => name.toLowerCase().replaceAll("-", "_");

/** The flavours that search user data, as a caller would name them. */
const OF_USER_DATA = joined.format(
  Object.values(FLAVOURS).flatMap(({ name, userData }) => (userData === "only" ? [name] : [])),
);

/** What the facet is called here that has this name elsewhere; several, where that differs between other flavours. */
function meant(unknown: string, { flavour, translate }: Naming): string[] {
  const name = sameName(unknown);
  const called = (other: Flavour) =>
    searchableFacets(flavour).filter((facet) => translation(other).name(facet) === name);
  // Its own names first, then the native ones: others may call something else so. Users' own are nobody else's business.
  const builtIn = Object.values(FLAVOURS).flatMap(called);
  const candidates = [called(flavour), called(FLAVOURS.native), builtIn];
  const facets = new Set(candidates.find(({ length }) => length > 0));
  return [...facets].map(translation(flavour, translate).name);
}

/**
 * Why a name is not a facet here, as a predicate of it: how it is called, where another flavour calls a facet so, or the
 * names that are most like it.
 *
 * @param known every name that would do
 */
export function unknownName(unknown: string, naming: Naming, known: readonly string[]): string {
  const { flavour, translate } = naming;
  const here = (translate ? flavour : FLAVOURS.native).name;
  const names = meant(unknown, naming);
  if (names.length > 0) return `is called ${joined.format(names)} in ${here}`;
  if (Object.hasOwn(FACETS, unknown) && FACETS[unknown as Facet].ofUserData) {
    return `is a facet of user data, which the flavour ${OF_USER_DATA} searches`;
  }
  return `is not a facet of ${here}; did you mean ${nearest(unknown, known).join(", ")}?`;
}
