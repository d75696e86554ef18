/** Searches to start from, made of what the index has: each finds something, whatever the index is of. */
import { searchedText } from "../search/value-text.js";
import type { Answer } from "../service/request.js";

type Counts = Answer<"/databrowser/metadata-search/{flavour}/{uniq_key}">;

/** A value of a facet, and how many files have it. */
export interface Frequent {
  readonly native: string;
  /** As the flavour calls the facet. */
  readonly name: string;
  readonly value: string;
  readonly files: number;
}

/** A search for some values, each by its facet. */
export interface Start {
  readonly of: readonly Frequent[];
  readonly files: number;
}

export const pairOf = ({ name, value }: Frequent) => [name, searchedText(value)] as const;

/** Of all of the index: which value of which facet most files have. The first of the facets that has any is taken. */
export function mostFrequent(
  { facets, facet_mapping: names }: Counts,
  natives: readonly string[],
): Frequent | undefined {
  for (const native of natives) {
    const name = names[native] ?? native;
    const flat = facets[name] ?? [];
    let best: Frequent | undefined;
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const files = Number(flat[at + 1]);
      if (files > (best?.files ?? 0)) {
        best = { native, name, value: flat[at] ?? "", files };
      }
    }
    if (best !== undefined) return best;
  }
  return undefined;
}

/** What a search starts from: what is measured, or, where nobody has said that, whatever files say most of. */
export const FIRST = ["variable", "model", "project", "experiment"] as const;
/** What it goes on with, each beside the first. */
const NEXT = [
  ["experiment", "product", "project"],
  ["model", "institute", "ensemble", "time_frequency"],
] as const;

/**
 * The first value alone, and with what is most frequent beside it.
 *
 * @param within the counts of what has the first
 */
export function startsOf(first: Frequent, within: Counts): readonly Start[] {
  const others = NEXT.flatMap((natives) => {
    const rest = natives.filter(
      (native) => (within.facet_mapping[native] ?? native) !== first.name,
    );
    const next = mostFrequent(within, rest);
    if (next === undefined) return [];
    return [{ of: [first, next], files: next.files }];
  });
  return [{ of: [first], files: first.files }, ...others];
}
