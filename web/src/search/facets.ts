/** The answer of a metadata search -> the facets shown. */
import { FACETS, type Facet as NativeFacet } from "../../../src/domain/vocabulary/facets.js";
import { type Answer, getJson, type Pairs } from "../service/request.js";

export interface FacetValue {
  /** In lower case. */
  readonly value: string;
  /** Files that the search would find with it. */
  readonly count: number;
}

export interface Facet {
  /** The name that all flavours share. */
  readonly native: string;
  readonly name: string;
  /** Whether scientists ask for it first. */
  readonly isFirst: boolean;
  readonly values: readonly FacetValue[];
}

export const COUNTED = "/databrowser/metadata-search/{flavour}/{uniq_key}";

export type Counted = Answer<typeof COUNTED>;

/** Most files first. */
const byCount = (a: FacetValue, b: FacetValue): number =>
  b.count - a.count || (a.value < b.value ? -1 : 1);

/** The facets that scientists ask for first, by native name. They come first, and open, in every vocabulary. */
const FIRST: readonly string[] = ["variable", "experiment", "model", "time_frequency", "ensemble"];

const rank = ({ native }: Facet): number => {
  const at = FIRST.indexOf(native);
  return at < 0 ? FIRST.length : at;
};

/** Those asked for first, then the others in the order of the answer. */
export function facetsOf({ facets, facet_mapping }: Counted): Facet[] {
  const natives = new Map(Object.entries(facet_mapping).map(([native, name]) => [name, native]));
  // With `translate=false`, names are native, but the mapping still has the flavour's names.
  const isTranslated = Object.keys(facets).every((name) => natives.has(name));
  const all = Object.entries(facets).map(([name, list]): Facet => {
    const native = isTranslated ? (natives.get(name) ?? name) : name;
    return {
      native,
      name,
      isFirst: FIRST.includes(native),
      values: list
        .flatMap((value, index) =>
          index % 2 === 0 ? [{ value, count: Number(list[index + 1]) }] : [],
        )
        .sort(byCount),
    };
  });
  return all.sort((a, b) => rank(a) - rank(b));
}

/** The values of some facets in a search. @throws as getJson */
export async function countFacets(
  flavour: string,
  pairs: Pairs,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Facet[]> {
  const query: Pairs = [...pairs, ...names.map((name) => ["facets", name] as const)];
  return facetsOf(await getJson(COUNTED, { in: { flavour, uniq_key: "file" }, query, signal }));
}

/** A facet in words. @param native its native name */
export const describe = (native: string): string | undefined =>
  Object.hasOwn(FACETS, native) ? FACETS[native as NativeFacet].description : undefined;
