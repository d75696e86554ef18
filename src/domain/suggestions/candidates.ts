/** The possible meanings of a part of a typed text. */
import { EXCLUDES } from "../vocabulary/query-words.js";
import {
  isSecondary,
  type KNOWN_REGIONS,
  type KnownField,
  type KnownValue,
} from "./known-values.js";
import { MATCHES, type Match } from "./match.js";
import { typedPeriod } from "./typed-period.js";

export interface Candidate {
  readonly kind: "value" | "period" | "region" | "dataset";
  /** The key of a search. */
  readonly name: string;
  readonly field: string;
  readonly value: string;
  readonly label?: string;
  readonly match: Match;
  /** Files of the search that have it; undefined if Solr must count them. */
  readonly count: number | undefined;
  /** Comes after the values of facets that match as well. */
  readonly isSecondary: boolean;
  /** Whether the search excludes it. Its count is that of the search without it. */
  readonly isExcluded?: true;
}

/** A candidate whose files are counted. */
export type Counted = Candidate & { readonly count: number };

export function ofField(
  known: KnownField,
  { value, count, label }: Omit<KnownValue, "texts">,
): Omit<Candidate, "match"> {
  const { field, name } = known;
  const named = label === undefined ? {} : { label };
  return { kind: "value", name, field, value, ...named, count, isSecondary: isSecondary(known) };
}

export const ofRegion = ({
  bbox,
  label,
}: (typeof KNOWN_REGIONS)[number]): Omit<Candidate, "match"> => ({
  kind: "region",
  name: "bbox",
  field: "bbox",
  value: bbox,
  label,
  count: undefined,
  isSecondary: true,
});

/** The period that a text means. */
export function periods(typed: string): Candidate[] {
  const value = typedPeriod(typed);
  if (value === undefined) return [];
  const shared = { kind: "period", name: "time", field: "time" } as const;
  return [{ ...shared, value, match: "exact", count: undefined, isSecondary: false }];
}

/** A candidate as what the search excludes. */
export const excluded = (one: Candidate): Candidate => ({
  ...one,
  name: one.name + EXCLUDES,
  isExcluded: true,
});

/** The better match first; then facets, then what has more files. What finds nothing is last. */
export function inOrder(a: Candidate, b: Candidate): number {
  return (
    Number(a.count === 0) - Number(b.count === 0) ||
    MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match) ||
    Number(a.isSecondary) - Number(b.isSecondary) ||
    (a.isExcluded ? 0 : (b.count ?? 0) - (a.count ?? 0))
  );
}
