/** Example searches, made from the counts of the index, so each finds something. */
import { searchedText } from "../search/value-text.js";
import type { Answer } from "../service/request.js";

type Counts = Answer<"/databrowser/metadata-search/{flavour}/{uniq_key}">;

export interface Frequent {
  readonly native: string;
  /** The facet's name in the flavour. */
  readonly name: string;
  readonly value: string;
  readonly files: number;
}

export interface Start {
  readonly of: readonly Frequent[];
  readonly files: number;
}

export const pairOf = ({ name, value }: Frequent) => [name, searchedText(value)] as const;

/** The most frequent value of the first of these facets that has values. */
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

/** Facets of the first value: the measured quantity, or else whatever describes most files. */
export const FIRST = ["variable", "model", "project", "experiment"] as const;
/** Facets of the second value. */
const NEXT = [
  ["experiment", "product", "project"],
  ["model", "institute", "ensemble", "time_frequency"],
] as const;

/**
 * The first value alone, and combined with the most frequent values beside it.
 *
 * @param within the counts of the files that have the first value
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
