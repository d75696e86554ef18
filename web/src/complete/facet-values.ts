/** The values that the form offers. */
import { countFacets } from "../search/facets.js";
import { useAnswer } from "../service/answer.js";
import type { Pairs } from "../service/request.js";

/** Values offered at once. */
const MAX_FREQUENT = 8;
const MAX_SUGGESTED = 50;
const NONE: ReadonlyMap<string, readonly string[]> = new Map();

/** The values of facets in the search, those of the most files first. @param names empty until values are needed */
export function useValues(
  flavour: string,
  pairs: Pairs,
  names: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const key = names.length === 0 ? undefined : JSON.stringify([flavour, pairs, names]);
  const { value = NONE } = useAnswer(key, async (signal) => {
    const all = await countFacets(flavour, pairs, names, signal);
    return new Map(all.map((facet) => [facet.name, facet.values.map(({ value }) => value)]));
  });
  return value;
}

export const frequent = (values: readonly string[]): readonly string[] =>
  values.slice(0, MAX_FREQUENT);

/** Values that start with the typed text, then those that contain it. */
export function suggested(values: readonly string[], typed: string): readonly string[] {
  const text = typed.trim().toLowerCase();
  const has = values.filter((value) => value.includes(text));
  const [begins, others] = [
    has.filter((value) => value.startsWith(text)),
    has.filter((value) => !value.startsWith(text)),
  ];
  return [...begins, ...others].slice(0, MAX_SUGGESTED);
}
