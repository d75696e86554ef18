/**
 * Validates the definitions of user flavours: unambiguous names for facets.
 *
 * A search by these names must equal the search by native ones. So no two facets may share a name, and no name may have
 * another meaning in a request or an answer.
 */
import { QUERY_WORDS } from "../../../generated/words.js";
import type { ParameterIssue } from "../../domain/errors.js";
import { CATALOGUE_NAMES } from "../../domain/vocabulary/catalogue-names.js";
import { DETAIL_NAMES } from "../../domain/vocabulary/details.js";
import { FACET_NAMES, type Facet } from "../../domain/vocabulary/facets.js";
import { FLAVOUR_NAMES, FLAVOURS, type Flavour } from "../../domain/vocabulary/flavours.js";
import { EXCLUDES } from "../../domain/vocabulary/query-words.js";
import { unknownName } from "../../domain/vocabulary/unknown-name.js";
import { groupBy } from "../../platform/group-by.js";

/** A name for comparison: case is ignored, and `-` equals `_`. */
export const folded = (name: string): string => name.toLowerCase().replaceAll("-", "_");

/** Names that have another meaning in a request or an answer of every flavour, folded. */
const RESERVED: ReadonlySet<string> = new Set(
  [...QUERY_WORDS, ...DETAIL_NAMES, ...CATALOGUE_NAMES].map(folded),
);

export interface Definition {
  readonly name: string;
  /** Native facet -> own name. */
  readonly mapping: Readonly<Record<string, string>>;
}

/** Names of the two members in a body, for issues. */
const NAME = "flavour_name";
const MAPPING = "mapping";

const FORM = /^[A-Za-z][A-Za-z0-9_-]*$/;
const MAX_NAME = 64;
/** Other facets of one name that an issue names. */
const MAX_NAMED = 5;

const isFacet = (name: string): name is Facet => FACET_NAMES.some((facet) => facet === name);

function formIssue(name: string): string | undefined {
  if (name.length > MAX_NAME) return `has more than ${MAX_NAME} characters`;
  if (FORM.test(name)) return undefined;
  return "must begin with a letter, and have only letters from a to z, digits, _ and -";
}

/** Why a flavour cannot have this name, as a predicate; undefined if it can. */
function nameIssue(name: string): string | undefined {
  const twin = FLAVOUR_NAMES.find((one) => folded(one) === folded(name));
  return formIssue(name) ?? (twin && `is too much like the flavour ${twin}, which is built in`);
}

/** Why a facet cannot be renamed at all. */
function facetIssue(facet: string, before: number): string | undefined {
  if (RESERVED.has(folded(facet)))
    return "has a parameter of its own, by the same name in every flavour";
  if (!isFacet(facet)) {
    const naming = { flavour: FLAVOURS.native, translate: true };
    return unknownName(facet, naming, FACET_NAMES, before);
  }
  return undefined;
}

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

export function definitionIssues({ name, mapping }: Definition): ParameterIssue[] {
  const issues: ParameterIssue[] = [];
  const add = (name: string, reason: string | undefined): void => {
    if (reason !== undefined) issues.push({ name, in: "body", reason });
  };
  add(NAME, nameIssue(name));
  for (const [facet, own] of Object.entries(mapping)) {
    add(
      `${MAPPING}.${facet.slice(0, MAX_NAME)}`,
      facetIssue(facet, issues.length) ?? ownNameIssue(facet, own),
    );
  }
  const users = groupBy(Object.entries(mapping), ([, own]) => folded(own));
  for (const [facet, own] of Object.entries(mapping)) {
    const others = (users.get(folded(own)) ?? []).filter(([one]) => one !== facet);
    if (others.length === 0) continue;
    const names = others.slice(0, MAX_NAMED).map(([other]) => other.slice(0, MAX_NAME));
    add(
      `${MAPPING}.${facet.slice(0, MAX_NAME)}`,
      `${JSON.stringify(own.slice(0, MAX_NAME))} is the name of ${names.join(", ")} as well`,
    );
  }
  return issues;
}

/**
 * The flavour of a stored definition. Invalid names are ignored, and their facets keep the native ones: the definition may
 * be older than some facets and reserved words.
 */
export function flavourOf(definition: Definition): Flavour {
  const wrong = new Set(definitionIssues(definition).map(({ name }) => name));
  const kept = Object.entries(definition.mapping).filter(
    ([facet]) => !wrong.has(`${MAPPING}.${facet}`),
  );
  return {
    name: definition.name,
    renamed: Object.fromEntries(kept) as Flavour["renamed"],
    knowsUser: true,
  };
}
