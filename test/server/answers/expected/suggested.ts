/** What suggestions must be, by plain arithmetic over the documents of a random scene. */
import { expect } from "vitest";
import type { components } from "../../../../generated/openapi.js";
import { FILLERS } from "../../../../src/domain/suggestions/typed-words.js";
import { FACETS } from "../../../../src/domain/vocabulary/facets.js";
import { listedFacets } from "../../../../src/domain/vocabulary/flavours.js";
import { longName } from "../../../../src/domain/vocabulary/long-names/long-names.js";
import {
  type Condition,
  found,
  type Known,
  type Meant,
} from "../../../support/data/known-documents.js";
import { type Chance, VALUED, VALUES } from "../../../support/data/random-documents.js";
import type { Written } from "../../../support/data/random-searches.js";
import type { RandomScene } from "./random-scene.js";

type Suggestions = components["schemas"]["Suggestions"];
type Suggestion = components["schemas"]["Suggestion"];

/** As many as are given of each part. */
const MAX = 20;

/** A text as somebody might type it: codes, their beginnings, words and misspellings, periods, regions, names of datasets. */
function typedText({ random, below, pick }: Chance, documents: readonly Known[]): string {
  const piece = (): string => {
    const text = included();
    return random() < 0.1 && !FILLERS.has(text.toLowerCase())
      ? pick(["-", "!", "not ", "without "]) + text
      : text;
  };
  const included = (): string => {
    const kind = random();
    const value: string = pick(VALUES[pick(VALUED.filter((one) => one !== "user"))]);
    if (kind < 0.3) return value;
    if (kind < 0.45) return value.slice(0, 1 + below(value.length));
    if (kind < 0.55) return pick(value.split(/[-_. ]/));
    if (kind < 0.62) return misspelled(value);
    if (kind < 0.72) return period();
    if (kind < 0.8) return pick(["Europe", "arctic", "North Atlantic", "MED", "tropics"]);
    if (kind < 0.86) return pick(documents).datasetId?.slice(0, 5 + below(40)) ?? "a.b.c";
    if (kind < 0.87) return pick(["temperature near-surface", "air temperatures", "monthly mean"]);
    if (kind < 0.9) return pick(["near-surface", "air temperature", "Monthly", "585", "in", "the"]);
    if (kind < 0.95) return `"${value.replaceAll('"', "")}"`;
    return pick(["zzzzz", "*", "(OR", "\\", "model=mpi", "variable:t", "źdźbło", "tas*"]);
  };
  const period = (): string => {
    const year = 1980 + below(20);
    const last = year + below(12);
    return pick([
      ...[`${year}-${last}`, `${year} to ${last}`, `${year}`, `since ${year}`, "1990s"],
      ...[`${year}01-${last}12`, `${year}0101-${last}1231`, `March ${year}`],
    ]);
  };
  const misspelled = (value: string): string => {
    const at = below(value.length);
    return value.slice(0, at) + (value[at + 1] ?? "x") + value.slice(at + 1);
  };
  return Array.from({ length: 1 + below(4) }, piece)
    .join(pick([" ", " ", ", "]))
    .slice(0, 200);
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[-_./()\s]+/g, " ")
    .trim();

/** Whether a part excludes, and the text without what says so. */
function withoutExclusion(text: string): { readonly isExcluded: boolean; readonly text: string } {
  const [, rest] = /^(?:[-!]|(?:not|without) (?:(?:in|the) )*)(.+)$/su.exec(text) ?? [];
  return { isExcluded: rest !== undefined, text: rest ?? text };
}

/** How a text matches: the same rule in another way. */
function kindOf(typed: string, texts: readonly string[]): string | undefined {
  const word = typed.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const begins = new RegExp(`(?:(?<= )|(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d))${word}`, "su");
  if (texts.includes(typed)) return "exact";
  if (texts[0]?.startsWith(typed)) return "prefix";
  const hasWord = (text: string): boolean => text.startsWith(typed) || begins.test(text);
  return texts.some(hasWord) ? "word" : undefined;
}

/** The fields that are compared, by their names in the search. */
function fieldsOf(search: Written): ReadonlyMap<string, string> {
  const facets = listedFacets(search.flavour).filter((facet) => !FACETS[facet].onRequest);
  const all = [
    ...facets,
    ...(search.isMultiVersion ? ["version"] : []),
    "standard_name",
    "long_name",
  ];
  return new Map(all.map((native) => [search.nameOf(native), native]));
}

async function checkSuggestions(
  scene: RandomScene,
  search: Written,
  text: string,
): Promise<Suggestions> {
  const answer = await scene.askJson<Suggestions>("suggest", search, search.flavour.name, [
    ["text", text],
    ["limit", String(MAX)],
  ]);
  const meant: Meant = { ...search, key: "file" };
  const fields = fieldsOf(search);
  const excludes = ({ name }: Suggestion): boolean => name.endsWith("_not_");
  const nativeOf = ({ name }: { readonly name: string }): string => {
    const key = name.replace(/_not_$/, "");
    return fields.get(key) ?? key;
  };
  const literal = (native: string, value: string): string =>
    native === "time" || native === "bbox" ? value : value.replaceAll(/[*?]/g, "\\$&");
  const conditionsOf = (some: readonly Suggestion[]): Condition[] =>
    [false, true].flatMap((isExcluded) => {
      const alike = some.filter((one) => excludes(one) === isExcluded);
      return [...new Set(alike.map(nativeOf))].map((native) => ({
        native,
        values: alike
          .filter((one) => nativeOf(one) === native)
          .map(({ value }) => literal(native, value)),
        isExcluded,
      }));
    });
  const without = (native: string): Condition[] =>
    search.conditions.filter((one) => one.native !== native);

  expect(answer.total_count).toBe(found(scene.documents, meant).length);
  const taken: Suggestion[] = [];
  for (const part of answer.parts) {
    for (const one of part.suggestions) {
      const native = nativeOf(one);
      // An included value replaces the taken ones of its facet. An excluded value narrows all of them.
      const before = conditionsOf(
        taken.filter((other) => excludes(one) || excludes(other) || nativeOf(other) !== native),
      );
      const of = found(scene.documents, meant, [
        ...(excludes(one) ? search.conditions : without(native)),
        ...before,
        ...conditionsOf([one]),
      ]);
      expect([part.text, one, of.length]).toEqual([part.text, one, one.count]);
    }
    const typed = withoutExclusion(part.text);
    expect(part.suggestions.filter((one) => excludes(one) !== typed.isExcluded)).toEqual([]);
    const matching = expectedValues(typed.text, search, meant, fields, scene.documents);
    // A period, region or dataset that matches better keeps out values with the words in another order.
    const hasOther = part.suggestions.some(
      ({ kind, similarity }) => kind !== "value" && !["words", "near"].includes(similarity),
    );
    const expected = hasOther ? matching.filter((one) => !one.startsWith("words ")) : matching;
    const values = part.suggestions.filter(({ kind }) => kind === "value");
    if (expected.length > 0 && part.suggestions.length < MAX) {
      const shown = values.map(
        ({ name, value, similarity }) => `${similarity} ${name.replace(/_not_$/, "")}=${value}`,
      );
      expect([part.text, shown.sort()]).toEqual([part.text, expected.sort()]);
    }
    const [best] = part.suggestions;
    if (best !== undefined && best.count > 0) taken.push(best);
    const counts = part.suggestions.map(({ count }) => count > 0);
    expect(counts).toEqual([...counts].sort((a, b) => Number(b) - Number(a)));
  }
  const empty = answer.parts.filter(({ suggestions }) => suggestions.length === 0);
  expect(answer.not_understood).toEqual(empty.map((part) => part.text));
  expect(answer.best.filters).toEqual(taken.map(({ name, value }) => ({ name, value })));
  expect(answer.best.count).toBe(bestCount());
  return answer;

  function bestCount(): number {
    const single = (native: string): boolean => native === "time" || native === "bbox";
    const last = taken.filter(
      (one, at) =>
        !single(nativeOf(one)) || taken.findLastIndex(({ name }) => name === one.name) === at,
    );
    const added = conditionsOf(last.filter((one) => !excludes(one)));
    const excluded = conditionsOf(last.filter(excludes));
    const natives = new Set(added.map(({ native }) => native));
    const own = search.conditions.filter(
      ({ native, isExcluded }) => !natives.has(native) || (isExcluded && !single(native)),
    );
    const merged = added.map((one) => {
      const same = search.conditions.find(
        ({ native, isExcluded }) => native === one.native && !isExcluded && !single(native),
      );
      return same === undefined ? one : { ...one, values: [...same.values, ...one.values] };
    });
    return found(scene.documents, meant, [...own, ...merged, ...excluded]).length;
  }
}

/** `match name=value` of every value that a part must suggest. */
function expectedValues(
  text: string,
  search: Written,
  meant: Meant,
  fields: ReadonlyMap<string, string>,
  documents: readonly Known[],
): string[] {
  const [, only, rest] = /^([a-z][a-z0-9_]*)[=:](.+)$/i.exec(text) ?? [];
  const isNamed = only !== undefined && fields.has(only);
  const typed = folded(isNamed ? (rest ?? "") : text);
  if (typed === "") return [];
  const known = [...fields].flatMap(([name, native]) => {
    if (isNamed && name !== only) return [];
    const others = search.conditions.filter((one) => one.native !== native);
    const of = found(documents, meant, others);
    const values = [...new Set(of.flatMap(({ values }) => values.get(native) ?? []))];
    return values.map((value) => {
      const label = longName(native, value);
      return { name, value, texts: [folded(value), ...(label ? [folded(label)] : [])] };
    });
  });
  const matching = (rule: (texts: readonly string[]) => string | undefined): string[] =>
    known.flatMap(({ name, value, texts }) => {
      const match = rule(texts);
      return match === undefined ? [] : [`${match} ${name}=${value}`];
    });
  const whole = matching((texts) => kindOf(typed, texts));
  const isApart = text
    .split(" ")
    .some((word) => known.some((one) => one.texts.includes(folded(word))));
  if (whole.length > 0 || isNamed || isApart) return whole;
  const stems = typed
    .split(" ")
    .map((word) => (/^.{3,}[^s]s$/.test(word) ? word.replace(/ies$|s$/, "") : word));
  const isThere = (texts: readonly string[], stem: string): boolean =>
    ["exact", "prefix", "word"].some((kind) => texts.some((one) => kindOf(stem, [one]) === kind));
  return matching((texts) => (stems.every((stem) => isThere(texts, stem)) ? "words" : undefined));
}

/**
 * Compares the suggestions for random texts with the filter in memory.
 *
 * @param size greatest number of conditions of a search
 * @returns number of texts of which a part was understood
 */
export async function compareTexts(scene: RandomScene, size: number, texts: number) {
  let understood = 0;
  await scene.each(
    size,
    async (search) => {
      const text = typedText(scene.by, scene.documents);
      try {
        const { best } = await checkSuggestions(scene, search, text);
        understood += Math.min(1, best.filters.length);
      } catch (error) {
        throw new Error(`typed ${JSON.stringify(text)}`, { cause: error });
      }
    },
    texts,
  );
  return understood;
}
