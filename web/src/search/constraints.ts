/** The constraints of a search, one per parameter. Pure. */
import { EXCLUDES } from "../../../src/domain/vocabulary/query-words.js";
import type { Pairs } from "../service/request.js";
import { EXCLUDING, isPattern, meantValue, searchedText } from "./value-text.js";

export interface Constraint {
  /** As in the address. */
  readonly pair: readonly [name: string, value: string];
  /** Settings do not restrict: they say how other constraints are meant. */
  readonly kind: "value" | "period" | "region" | "setting";
  /** Without the marks that exclude. */
  readonly name: string;
  readonly value: string;
  readonly isExcluded: boolean;
}

/** Names with `_` for `-`. */
const SETTINGS = new Set([
  "multi_version",
  "translate",
  "time_select",
  "bbox_select",
  "choices",
  "facets",
  "start",
  "limit",
  "max_results",
  "fields",
  "format",
  "sort",
  "after",
]);

/** Ends the key of what is excluded. */
export const EXCLUDED = new RegExp(`${EXCLUDES}$`);

function readConstraint(pair: readonly [string, string]): Constraint {
  let [name, value] = pair;
  // `filter=name=value` and `name[]=value` are other spellings.
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

/** Whether a constraint names this value. @param value in lower case */
const names = (constraint: Constraint, name: string, value: string): boolean =>
  constraint.kind === "value" &&
  constraint.name === name &&
  keyOf(constraint.value) === searchedText(value);

export type FacetConstraints = ReturnType<typeof facetConstraints>;

/** The constraints of one facet. */
export function facetConstraints(constraints: readonly Constraint[], name: string) {
  const own = constraints.filter((one) => one.kind === "value" && one.name === name);
  const keys = (isExcluded: boolean): ReadonlySet<string> =>
    new Set(own.filter((one) => one.isExcluded === isExcluded).map(({ value }) => keyOf(value)));
  const [chosen, excluded] = [keys(false), keys(true)];
  const plain = own.filter(({ value }) => !isPattern(value));
  return {
    /** Values named, selected or excluded. */
    named: [...new Set(plain.map(({ value }) => meantValue(value)))],
    isChosen: (value: string): boolean => chosen.has(searchedText(value)),
    isExcluded: (value: string): boolean => excluded.has(searchedText(value)),
    /** Number of constraints. */
    count: own.length,
    /** Constraints with wildcards. */
    patterns: own.filter(({ value }) => isPattern(value)),
  };
}

/** Removes the other parameters from a query, and leaves the rest in order. */
function keep(query: URLSearchParams, stays: (constraint: Constraint) => boolean): void {
  const left = [...query].filter(
    (pair) => pair[0] === "flavour" || stays(readConstraint(pair as [string, string])),
  );
  for (const name of new Set(query.keys())) query.delete(name);
  for (const [name, value] of left) query.append(name, value);
}

export const drop = (query: URLSearchParams, { pair: [name, value] }: Constraint): void =>
  keep(query, ({ pair }) => pair[0] !== name || pair[1] !== value);

/**
 * Removes all values that one key includes, or excludes.
 *
 * @param key as in the operation `why`: with `_not_` if it excludes
 */
export function dropKey(query: URLSearchParams, key: string): void {
  const isExcluded = EXCLUDED.test(key);
  const name = key.replace(EXCLUDED, "");
  keep(
    query,
    (one) => one.kind === "setting" || one.name !== name || one.isExcluded !== isExcluded,
  );
}

export const dropFacet = (query: URLSearchParams, facet: string): void =>
  keep(query, (one) => one.kind !== "value" || one.name !== facet);

/** Removes the selection or exclusion of one value. */
export const dropValue = (query: URLSearchParams, name: string, value: string): void =>
  keep(query, (one) => !names(one, name, value));

/** Replaces a misspelled value. */
export function replaceValue(
  query: URLSearchParams,
  { name, value, near }: { readonly name: string; readonly value: string; readonly near: string },
): void {
  const wrong = constraintsOf([...query] as [string, string][]).filter((one) =>
    names(one, name.replace(EXCLUDED, ""), value.toLowerCase()),
  );
  for (const constraint of wrong) {
    drop(query, constraint);
    query.append(constraint.isExcluded ? constraint.name + EXCLUDES : constraint.name, near);
  }
}

/** Native name -> name in the flavour; unchanged names may be missing. */
type Mapping = Readonly<Record<string, string>>;

/** @param pairs a search; with `translate=false` it keeps its native names */
export function translated(pairs: Pairs, from: Mapping, to: Mapping): [string, string][] {
  const isNative = pairs.some(
    ([name, value]) => name === "translate" && /^(?:false|f|0|no|off)$/i.test(value),
  );
  const natives = new Map(Object.entries(from).map(([native, name]) => [name, native]));
  const change = (name: string): string => {
    const native = natives.get(name) ?? name;
    return to[native] ?? native;
  };
  return pairs.map((pair) => {
    const { kind, name } = readConstraint(pair);
    if (isNative || kind !== "value") return [...pair];
    const [key, value] = pair;
    if (key === "filter") return [key, `${value.replace(name, change(name))}`];
    return [key.replace(name, change(name)), value];
  });
}

export function withValues(
  searching: URLSearchParams,
  values: Iterable<readonly [facet: string, value: string]>,
): URLSearchParams {
  const query = new URLSearchParams(searching);
  for (const [facet, value] of values) {
    const excluding = query.getAll(facet).filter((one) => EXCLUDING.test(one));
    query.delete(facet);
    for (const one of excluding) query.append(facet, one);
    query.append(facet, searchedText(value));
  }
  return query;
}
