/** Explains an unknown facet name: its name in this flavour, or similar names. */
import { MAX_EXPLAINED, nearest } from "../text/nearest-names.js";
import { FACET_NAMES, FACETS, type Facet } from "./facets.js";
import { FLAVOURS, type Flavour, searchableFacets, translation } from "./flavours.js";
import { misspellings } from "./misspelled.js";

/** The names that a request uses. */
export interface Naming {
  readonly flavour: Flavour;
  /** False for native names, whatever the flavour. */
  readonly translate: boolean;
}

const joined = new Intl.ListFormat("en", { type: "disjunction" });
const sameName = (name: string): string => name.toLowerCase().replaceAll("-", "_");

/** The flavours that search user data, for error messages. */
const OF_USER_DATA = joined.format(
  Object.values(FLAVOURS).flatMap(({ name, userData }) => (userData === "only" ? [name] : [])),
);

/** The names in this flavour of the facets that another flavour calls by the unknown name. */
function intendedNames(unknown: string, { flavour, translate }: Naming): string[] {
  const name = sameName(unknown);
  const called = (other: Flavour) =>
    searchableFacets(flavour).filter((facet) => translation(other).name(facet) === name);
  // Its own names first, then native names, then other built-in flavours. Flavours of other users are private.
  const builtIn = Object.values(FLAVOURS).flatMap(called);
  const candidates = [called(flavour), called(FLAVOURS.native), builtIn];
  const facets = new Set(candidates.find(({ length }) => length > 0));
  return [...facets].map(translation(flavour, translate).name);
}

const misspelled = misspellings(FACET_NAMES);

/** The names of this flavour for the native names that an unknown name may misspell. They may resemble no name of this flavour. */
function probableNames(unknown: string, { flavour, translate }: Naming): string[] {
  const searchable: readonly string[] = searchableFacets(flavour);
  const meant = misspelled(unknown).filter((name): name is Facet => searchable.includes(name));
  return meant.map(translation(flavour, translate).name);
}

/**
 * Why a name is not a facet here, as a predicate: its name in this flavour if another flavour has it, or similar names.
 *
 * @param before issues that the same request has already
 */
export function unknownName(
  unknown: string,
  naming: Naming,
  known: readonly string[],
  before = 0,
): string {
  // A facet only where all versions are searched.
  if (unknown === "version") return "requires multi-version=true";
  const { flavour, translate } = naming;
  const here = (translate ? flavour : FLAVOURS.native).name;
  if (before >= MAX_EXPLAINED) return `is not a facet of ${here}`;
  const names = intendedNames(unknown, naming);
  if (names.length > 0) return `is called ${joined.format(names)} in ${here}`;
  if (Object.hasOwn(FACETS, unknown) && FACETS[unknown as Facet].ofUserData) {
    return `is a facet of user data, which the flavour ${OF_USER_DATA} searches`;
  }
  const probable = probableNames(unknown, naming);
  const near = probable.length > 0 ? probable : nearest(unknown, known);
  return `is not a facet of ${here}; did you mean ${near.join(", ")}?`;
}
