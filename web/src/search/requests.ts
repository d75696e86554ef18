/** Requests of the search view. */
import { search } from "../address/address.js";
import { type AnswerState, useJson } from "../service/answer.js";
import { type CodeRequest, codeRequest } from "../service/code-request.js";
import type { Answer, Pairs, RequestOptions } from "../service/request.js";
import { COUNTED, type Counted } from "./facets.js";

const WHY = "/databrowser/why/{flavour}/{uniq_key}";
const FILES = "/databrowser/data-search/{flavour}/{uniq_key}";

export type Why = Answer<typeof WHY>;

const searching = (flavour: string, query: Pairs = search.value.pairs): RequestOptions => ({
  in: { flavour, uniq_key: "file" },
  query,
});

/** With `choices=true`, a facet keeps the values that could be selected as well. */
const withChoices = (flavour: string): RequestOptions =>
  searching(flavour, [
    ...search.value.pairs.filter(([name]) => name !== "choices"),
    ["choices", "true"],
  ]);

/** Files per value. @param flavour undefined sends no request */
export const useCounts = (flavour: string | undefined): AnswerState<Counted> =>
  useJson(COUNTED, flavour === undefined ? undefined : withChoices(flavour));

/** Why nothing is found. */
export const useWhy = (flavour: string): AnswerState<Why> => useJson(WHY, searching(flavour));

/** The number of files of another search. */
export const useCount = (flavour: string, pairs: Pairs): number | undefined =>
  useJson(COUNTED, searching(flavour, [...pairs, ["facets", "format"]])).value?.total_count;

export const countsRequest = (title: string, flavour: string): CodeRequest =>
  codeRequest(title, COUNTED, withChoices(flavour));

export const whyRequest = (title: string, flavour: string): CodeRequest =>
  codeRequest(title, WHY, searching(flavour));

export const filesRequest = (title: string, flavour: string): CodeRequest =>
  codeRequest(title, FILES, searching(flavour), { answer: "text" });
