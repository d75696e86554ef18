/** Requests of the search view. */
import { search } from "../address/address.js";
import { type AnswerState, useAnswer } from "../service/answer.js";
import { type CodeRequest, codeRequest } from "../service/code-request.js";
import { type Answer, getJson } from "../service/request.js";
import type { Pairs } from "./constraints.js";

const COUNTED = "/databrowser/metadata-search/{flavour}/{uniq_key}";
const WHY = "/databrowser/why/{flavour}/{uniq_key}";
const FILES = "/databrowser/data-search/{flavour}/{uniq_key}";

export type Counted = Answer<typeof COUNTED>;
export type Why = Answer<typeof WHY>;

/** With `choices=true`, a facet keeps the values that could be selected as well. */
const withChoices = (pairs: Pairs): Pairs => [
  ...pairs.filter(([name]) => name !== "choices"),
  ["choices", "true"],
];

const place = (flavour: string) => ({ flavour, uniq_key: "file" });

/** Files per value. @param flavour undefined sends no request */
export function useCounts(flavour: string | undefined): AnswerState<Counted> {
  const { pairs } = search.value;
  const key = flavour && JSON.stringify([flavour, pairs]);
  return useAnswer(key, (signal) =>
    getJson(COUNTED, { in: place(flavour ?? ""), query: withChoices(pairs), signal }),
  );
}

/** Why nothing is found. @param flavour undefined sends no request */
export function useWhy(flavour: string | undefined): AnswerState<Why> {
  const { pairs } = search.value;
  const key = flavour && JSON.stringify([flavour, pairs]);
  return useAnswer(key, (signal) =>
    getJson(WHY, { in: place(flavour ?? ""), query: pairs, signal }),
  );
}

/** The number of files of another search. */
export function useCount(flavour: string, pairs: Pairs | undefined): AnswerState<number> {
  const key = pairs && JSON.stringify([flavour, pairs]);
  return useAnswer(key, async (signal) => {
    const query: Pairs = [...(pairs ?? []), ["facets", "format"]];
    return (await getJson(COUNTED, { in: place(flavour), query, signal })).total_count;
  });
}

export const countsRequest = (title: string, flavour: string): CodeRequest =>
  codeRequest(title, COUNTED, { in: place(flavour), query: withChoices(search.value.pairs) });

export const whyRequest = (title: string, flavour: string): CodeRequest =>
  codeRequest(title, WHY, { in: place(flavour), query: search.value.pairs });

export const filesRequest = (title: string, flavour: string): CodeRequest =>
  codeRequest(title, FILES, { in: place(flavour), query: search.value.pairs }, { answer: "text" });
