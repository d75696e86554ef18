/** The constraints of a search: its parameters, as a person sees them one by one. Pure. */
import { EXCLUDING, isPattern, meantValue, searchedText } from "./value-text.js";

export type Pairs = readonly (readonly [string, string])[];

/** One value of one parameter. */
export interface Constraint {
  /** As they stand in the address. */
  readonly pair: readonly [name: string, value: string];
  /** Settings are no constraints of their own: they say how others are meant. */
  readonly kind: "value" | "period" | "region" | "setting";
  /** Without what excludes. */
  readonly name: string;
  readonly value: string;
  readonly isExcluded: boolean;
}

/** As the operations know them, with `_` for `-`. */
const SETTINGS = new Set([
  ...["multi_version", "translate", "time_select", "bbox_select", "choices", "facets"],
  ...["start", "limit", "max_results", "fields", "format", "sort", "after"],
]);

const EXCLUDED = /_not_$/;

export function readConstraint(pair: readonly [string, string]): Constraint {
  let [name, value] = pair;
  // `filter=name=value` and `name[]=value` are other spellings of the same.
  const filter = name === "filter" ? /^([^=]+)=([\s\S]*)$/.exec(value) : null;
  if (filter) [, name = name, value = value] = filter;
  name = name.replace(/\[\d*\]$/, "");
  if (SETTINGS.has(name.replaceAll("-", "_"))) {
    return { pair, kind: "setting", name, value, isExcluded: false };
  }
  const base = name.replace(EXCLUDED, "");
  const kind = base === "time" ? "period" : base === "bbox" ? "region" : "value";
  const bare = value.replace(kind === "value" ? EXCLUDING : /^(?:not |!)\s*/, "");
  const isExcluded = bare !== value || base !== name;
  return { pair, kind, name: base, value: bare, isExcluded };
}

export const constraintsOf = (pairs: Pairs): Constraint[] => pairs.map(readConstraint);

/** The same for all spellings of a value. */
const keyOf = (text: string): string =>
  isPattern(text) ? text.toLowerCase() : searchedText(meantValue(text));

/** Whether it is what a search says of one value. @param value in lower case */
const names = (constraint: Constraint, name: string, value: string): boolean =>
  constraint.kind === "value" &&
  constraint.name === name &&
  keyOf(constraint.value) === searchedText(value);

/** What a search says of one facet. */
export interface OfFacet {
  /** Values that are named, of both kinds. */
  readonly named: readonly string[];
  readonly isChosen: (value: string) => boolean;
  readonly isExcluded: (value: string) => boolean;
  /** How many things it says. */
  readonly count: number;
  /** Those with wildcards, which may mean any number of values. */
  readonly patterns: readonly Constraint[];
}

export function ofFacet(constraints: readonly Constraint[], name: string): OfFacet {
  const own = constraints.filter((one) => one.kind === "value" && one.name === name);
  const keys = (isExcluded: boolean): ReadonlySet<string> =>
    new Set(own.filter((one) => one.isExcluded === isExcluded).map(({ value }) => keyOf(value)));
  const [chosen, excluded] = [keys(false), keys(true)];
  const plain = own.filter(({ value }) => !isPattern(value));
  return {
    named: [...new Set(plain.map(({ value }) => meantValue(value)))],
    isChosen: (value) => chosen.has(searchedText(value)),
    isExcluded: (value) => excluded.has(searchedText(value)),
    count: own.length,
    patterns: own.filter(({ value }) => isPattern(value)),
  };
}

/** Takes parameters out of an address, one by one, and leaves all others where they are. */
function keep(query: URLSearchParams, stays: (constraint: Constraint) => boolean): void {
  const left = [...query].filter(
    (pair) => pair[0] === "flavour" || stays(readConstraint(pair as [string, string])),
  );
  for (const name of new Set(query.keys())) query.delete(name);
  for (const [name, value] of left) query.append(name, value);
}

/** Takes away one parameter with its value. */
export const drop = (query: URLSearchParams, { pair: [name, value] }: Constraint): void =>
  keep(query, ({ pair }) => pair[0] !== name || pair[1] !== value);

/** Takes away all that one key includes, or excludes. @param key as operation why tells it: with `_not_` where it excludes */
export function dropKey(query: URLSearchParams, key: string): void {
  const isExcluded = EXCLUDED.test(key);
  const name = key.replace(EXCLUDED, "");
  keep(
    query,
    (one) => one.kind === "setting" || one.name !== name || one.isExcluded !== isExcluded,
  );
}

/** Takes away whatever is said of a facet. */
export const dropFacet = (query: URLSearchParams, facet: string): void =>
  keep(query, (one) => one.kind !== "value" || one.name !== facet);

/** Takes away what one value is called for, or excluded by. */
export const dropValue = (query: URLSearchParams, name: string, value: string): void =>
  keep(query, (one) => !names(one, name, value));

/** Puts a value that is spelled rightly in the place of another one. */
export function replaceValue(
  query: URLSearchParams,
  { name, value, near }: { readonly name: string; readonly value: string; readonly near: string },
): void {
  const wrong = constraintsOf([...query] as [string, string][]).filter((one) =>
    names(one, name.replace(EXCLUDED, ""), value.toLowerCase()),
  );
  for (const constraint of wrong) {
    drop(query, constraint);
    query.append(constraint.isExcluded ? `${constraint.name}_not_` : constraint.name, near);
  }
}
