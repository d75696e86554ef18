/** Reads facets and details from header attributes, by the attribute names of the standards. */

import { isFrequencyLabel } from "../../domain/extent/frequency.js";
import { isDetail } from "../../domain/vocabulary/details.js";
import type { Header, Variable } from "../../files/cf/header.js";
import { rolesOf } from "../../files/cf/roles.js";
import type { Definition, FieldExpressions } from "./definition.js";
import type { Expression, Lookup } from "./expression.js";
import { attributeText, MAX_TEXT } from "./header-text.js";
import type { Facets } from "./standard.js";

/** Details by name. */
type Details = Readonly<Record<string, string | readonly string[]>>;

export interface HeaderFacts {
  readonly facets: Facets;
  readonly details: Details;
  /** Facets to use only if no other source states them. */
  readonly hints: Facets;
  /** The version that the header states, such as v20191108. */
  readonly version: string | undefined;
  /** The omitted attributes, one line each. */
  readonly notes: readonly string[];
}

const VARIABLE_ATTRIBUTES = ["standard_name", "long_name", "units"] as const;
const MAX_VARIABLES = 200;

/** Characters of a facet's value. */
const MAX_NAME = 500;

/** The attributes that state facets and details. */
export type AttributeNames = Pick<Definition, "attributes" | "hints">;

export function attributesOf(header: Header, names: AttributeNames): HeaderFacts {
  const notes: string[] = [];
  const lookup: Lookup = (name) => {
    const text = attributeText(header, name);
    if (text === undefined || text.length <= MAX_TEXT) return text;
    notes.push(`${name}: left out, as the header says it in ${text.length} characters`);
    return undefined;
  };
  const { version = attributeText(header, "version"), ...all } = values(names.attributes, lookup);
  const stated = Object.entries(all).filter(([name, value]) => {
    if (name === "time_frequency") return [value].flat().every(isFrequencyLabel);
    const isShort = isDetail(name) || [value].flat().every((one) => one.length <= MAX_NAME);
    if (!isShort) notes.push(`${name}: left out, as the header says it in too many characters`);
    return isShort;
  });
  const details = stated.filter(([name]) => isDetail(name));
  return {
    facets: Object.fromEntries(stated.filter(([name]) => !isDetail(name))),
    details: { ...Object.fromEntries(details), ...variableDetails(header, notes) },
    hints: values(names.hints, lookup),
    version: typeof version === "string" && /^v\d{1,10}$/.test(version) ? version : undefined,
    notes: [...new Set(notes)],
  };
}

type Values = Record<string, string | readonly string[]>;

/** Merges the expressions of several standards. Each expression belongs to the first facet that has it. */
export function mergeExpressions(all: readonly FieldExpressions[]): FieldExpressions {
  const taken = new Map<string, string>();
  const result = new Map<string, readonly Expression[]>();
  for (const fields of all) {
    for (const [facet, expressions] of fields) {
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

/** The values of expressions, by facet. */
export function values(fields: FieldExpressions, lookup: Lookup): Values {
  const result: Values = {};
  for (const [facet, expressions] of fields) {
    for (const expression of expressions) {
      const value = expression.value(lookup);
      if (value === undefined || value === "") continue;
      result[facet] = value;
      break;
    }
  }
  return result;
}

function variableDetails(header: Header, notes: string[]): Details {
  const { data } = rolesOf(header);
  if (data.length > MAX_VARIABLES) {
    notes.push(`of ${data.length} data variables ${MAX_VARIABLES} are described`);
  }
  const described = data.slice(0, MAX_VARIABLES);
  return Object.fromEntries(
    VARIABLE_ATTRIBUTES.flatMap((name) => {
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
