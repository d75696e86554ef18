/** The values of a search that typed texts are compared with. */
import { NAMED_BOXES } from "../extent/named-regions.js";
import { isDetail } from "../vocabulary/details.js";
import type { CountedField } from "../vocabulary/facets.js";
import { hasLongNames, longName } from "../vocabulary/long-names/long-names.js";
import { folded } from "./match.js";
import { longWords } from "./nearest-words.js";

/** Values of a field that are compared. Of more values, the most frequent ones are; all can be found by their whole text. */
const MAX_COMPARED = 20_000;

export interface KnownValue {
  readonly value: string;
  readonly count: number;
  readonly label?: string;
  /** The value and its names, folded. */
  readonly texts: readonly string[];
}

export interface KnownField {
  readonly field: CountedField;
  /** Its name in the flavour. */
  readonly name: string;
  readonly all: ReadonlyMap<string, number>;
  readonly compared: readonly KnownValue[];
  /** All texts of the compared values. */
  readonly texts: ReadonlySet<string>;
}

/** Counts are cached, so the texts to compare are folded once for each of them. */
const prepared = new WeakMap<ReadonlyMap<string, number>, Pick<KnownField, "compared" | "texts">>();

/** @param counts values in lower case, with the number of files of each */
export function knownField(
  field: CountedField,
  name: string,
  counts: ReadonlyMap<string, number>,
): KnownField {
  let known = prepared.get(counts);
  if (known === undefined) {
    const some =
      counts.size <= MAX_COMPARED
        ? [...counts]
        : [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_COMPARED);
    const isNamed = hasLongNames(field);
    const compared = some.map(([value, count]): KnownValue => {
      const label = isNamed ? longName(field, value) : undefined;
      const texts = label === undefined ? [folded(value)] : [folded(value), folded(label)];
      return { value, count, texts, ...(label !== undefined && { label }) };
    });
    known = { compared, texts: new Set(compared.flatMap(({ texts }) => texts)) };
    prepared.set(counts, known);
  }
  return { field, name, all: counts, ...known };
}

const words = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** The long words of a field's texts, made when they are first needed. */
export function wordsOf({ texts }: KnownField): ReadonlySet<string> {
  const known = words.get(texts) ?? longWords(texts);
  words.set(texts, known);
  return known;
}

/** Facets before details, which nearly every facet value implies. */
export const isSecondary = ({ field }: KnownField): boolean => isDetail(field);

export const KNOWN_REGIONS = NAMED_BOXES.map(({ bbox, label, names }) => ({
  bbox,
  label,
  texts: names.map(folded),
}));
