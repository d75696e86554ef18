/** What the attributes of a header say: facets and details, by the names that the standards have for them. */

import { isFrequencyLabel } from "../cf/frequency.js";
import type { Header, Variable } from "../cf/header.js";
import { rolesOf } from "../cf/roles.js";
import type { Facet } from "../vocabulary/facets.js";
import type { Sayings } from "./definition.js";
import type { Lookup } from "./expression.js";
import { attributeText, MAX_TEXT } from "./header-text.js";
import type { Facets, Standard } from "./standard.js";

/** Details by name. */
export type Details = Readonly<Record<string, string | readonly string[]>>;

export interface HeaderFacts {
  readonly facets: Facets;
  readonly details: Details;
  /** Facets that stand in where nothing else tells them. */
  readonly hints: Facets;
  /** The version that the header itself has, such as v20191108. */
  readonly version: string | undefined;
  /** What was left out, one line each. */
  readonly notes: readonly string[];
}

/** What variables say of themselves, one value each. */
const OF_VARIABLES = ["standard_name", "long_name", "units"] as const;
/** Data variables whose descriptions are kept, and values of one of them. */
const MAX_VARIABLES = 200;

/** @param standards whose names are known; of several that name an attribute differently the first holds */
export function attributesOf(header: Header, standards: readonly Standard[]): HeaderFacts {
  const notes: string[] = [];
  const lookup: Lookup = (name) => {
    const text = attributeText(header, name);
    if (text === undefined || text.length <= MAX_TEXT) return text;
    notes.push(`${name}: left out, as the header says it in ${text.length} characters`);
    return undefined;
  };
  const said = merged(standards.map(({ definition }) => definition.attributes));
  const all = values(said, lookup);
  const { tracking_id, nominal_resolution, license, further_info_url, version, ...facets } = all;
  const own = { tracking_id, nominal_resolution, license, further_info_url };
  if (typeof facets.time_frequency === "string" && !isFrequencyLabel(facets.time_frequency)) {
    delete facets.time_frequency;
  }
  const stated = attributeText(header, "version");
  return {
    facets,
    details: { ...defined(own), ...ofVariables(header, notes) },
    hints: values(merged(standards.map(({ definition }) => definition.hints)), lookup),
    version: stated !== undefined && /^v\d{1,10}$/.test(stated) ? stated : undefined,
    notes: [...new Set(notes)],
  };
}

type Values = Partial<Record<string, string | readonly string[]>>;

const defined = (given: Values): Details =>
  Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );

/** What several standards say, each expression for the first facet that has it. */
function merged(all: readonly Sayings[]): Sayings {
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  const taken = new Map<string, string>();
  const result = new Map<string, Sayings extends ReadonlyMap<string, infer E> ? E : never>();
  for (const sayings of all) {
    for (const [facet, expressions] of sayings) {
      const free = expressions.filter(({ text }) => {
        const owner = taken.get(text) ?? facet;
        taken.set(text, owner);
        return owner === facet;
      });
      const before = result.get(facet) ?? [];
      const more = free.filter(({ text }) => before.every((one) => one.text !== text));
      result.set(facet, [...before, ...more]);
    }
  }
  return result;
}

/** What expressions say, facet by facet. */
export function values(sayings: Sayings, lookup: Lookup): Values & Facets {
  const result: Values = {};
  for (const [facet, expressions] of sayings) {
    for (const expression of expressions) {
      const value = expression.value(lookup);
      if (value === undefined || value === "") continue;
      result[facet] = value;
      break;
    }
  }
  return result as Values & Partial<Record<Facet, string>>;
}

function ofVariables(header: Header, notes: string[]): Details {
  const { data } = rolesOf(header);
  if (data.length > MAX_VARIABLES) {
    notes.push(`of ${data.length} data variables ${MAX_VARIABLES} are described`);
  }
  const described = data.slice(0, MAX_VARIABLES);
  return Object.fromEntries(
    OF_VARIABLES.flatMap((name) => {
      const texts = new Set(described.flatMap((variable) => shortText(variable, name)));
      const [first, ...others] = texts;
      if (first === undefined) return [];
      return [[name, others.length > 0 ? [first, ...others] : first]];
    }),
  );
}

function shortText(variable: Variable, name: string): readonly string[] {
  const text = attributeText(variable, name);
  return text === undefined || text.length > MAX_TEXT ? [] : [text];
}
