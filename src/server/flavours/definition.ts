/**
 * What an own flavour may be: names for facets that nobody can take for something else.
 *
 * Pure. A search by its names is the same search as by the native ones; so no two facets may meet in one name, and no
 * name may be one that means something else in a request or an answer.
 */
import { QUERY_WORDS } from "../../../generated/words.js";
import type { ParameterIssue } from "../../domain/errors.js";
import { CATALOGUE_NAMES } from "../../domain/vocabulary/catalogue-names.js";
import { DETAIL_NAMES } from "../../domain/vocabulary/details.js";
import { FACET_NAMES, type Facet } from "../../domain/vocabulary/facets.js";
import { FLAVOUR_NAMES, FLAVOURS, type Flavour } from "../../domain/vocabulary/flavours.js";
import { unknownName } from "../../domain/vocabulary/unknown-name.js";

/** The form under which names are compared: case does not count, and `-` and `_` are the same. */
export const folded = (name: string): string => name.toLowerCase().replaceAll("-", "_");

/** Names that have another meaning in a request or an answer of every flavour, folded. */
const RESERVED: ReadonlySet<string> = new Set(
  [...QUERY_WORDS, ...DETAIL_NAMES, ...CATALOGUE_NAMES].map(folded),
);

/** What somebody wants a flavour to be. */
export interface Definition {
  readonly name: string;
  /** Native facet -> own name. */
  readonly mapping: Readonly<Record<string, string>>;
}

/** Where in a body the two stand, for what is said of them. */
const NAME = "flavour_name";
const MAPPING = "mapping";

const FORM = /^[A-Za-z][A-Za-z0-9_-]*$/;
export const MAX_NAME = 64;
/** What an excluding key ends with. */
const EXCLUDES = "_not_";

const isFacet = (name: string): name is Facet => FACET_NAMES.some((facet) => facet === name);

function formIssue(name: string): string | undefined {
  if (name.length > MAX_NAME) return `has more than ${MAX_NAME} characters`;
  if (FORM.test(name)) return undefined;
  return "must begin with a letter, and have only letters from a to z, digits, _ and -";
}

/** Why a name cannot be an own flavour's, as a predicate; undefined where it can. */
function nameIssue(name: string): string | undefined {
  const twin = FLAVOUR_NAMES.find((one) => folded(one) === folded(name));
  return formIssue(name) ?? (twin && `is too much like the flavour ${twin}, which is built in`);
}

/** Why a facet cannot have an own name, whatever that is. */
function facetIssue(facet: string): string | undefined {
  if (!isFacet(facet)) {
    return unknownName(facet, { flavour: FLAVOURS.native, translate: true }, FACET_NAMES);
  }
  if (RESERVED.has(folded(facet)))
    return "has a parameter of its own, by the same name in every flavour";
  return undefined;
}

/** Why a facet cannot be called so. */
function ownNameIssue(facet: string, own: string): string | undefined {
  const called = JSON.stringify(own.slice(0, MAX_NAME));
  const form = formIssue(own);
  if (form !== undefined) return `${called} ${form}`;
  if (RESERVED.has(folded(own))) return `${called} means something else in every search or answer`;
  if (own.toLowerCase().endsWith(EXCLUDES)) return `${called} ends like a key that excludes`;
  const other = FACET_NAMES.find((one) => one !== facet && folded(one) === folded(own));
  if (other !== undefined) return `${called} is the native name of the facet ${other}`;
  return undefined;
}

/** All that is wrong with a definition. */
export function definitionIssues({ name, mapping }: Definition): ParameterIssue[] {
  const issues: ParameterIssue[] = [];
  const add = (place: string, reason: string | undefined): void => {
    if (reason !== undefined) issues.push({ name: place, in: "body", reason });
  };
  add(NAME, nameIssue(name));
  const users = new Map<string, string[]>();
  for (const [facet, own] of Object.entries(mapping)) {
    const place = `${MAPPING}.${facet.slice(0, MAX_NAME)}`;
    add(place, facetIssue(facet) ?? ownNameIssue(facet, own));
    users.set(folded(own), [...(users.get(folded(own)) ?? []), facet]);
  }
  for (const [facet, own] of Object.entries(mapping)) {
    const others = (users.get(folded(own)) ?? []).filter((one) => one !== facet);
    if (others.length === 0) continue;
    const names = others.map((other) => other.slice(0, MAX_NAME)).join(", ");
    add(
      `${MAPPING}.${facet.slice(0, MAX_NAME)}`,
      `${JSON.stringify(own.slice(0, MAX_NAME))} is the name of ${names} as well`,
    );
  }
  return issues;
}

/**
 * The flavour that a definition makes. What is not possible in it is left out, and the facet keeps its native name: a
 * later release may have facets and words that there were not when it was defined.
 */
export function flavourOf(definition: Definition): Flavour {
  const wrong = new Set(definitionIssues(definition).map(({ name }) => name));
  const kept = Object.entries(definition.mapping).filter(
    ([facet]) => !wrong.has(`${MAPPING}.${facet}`),
  );
  return {
    name: definition.name,
    renamed: Object.fromEntries(kept) as Flavour["renamed"],
    userData: "excluded",
    knowsUser: true,
  };
}
