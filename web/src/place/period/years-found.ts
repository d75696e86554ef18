/** The years of the files found in any period, for the timeline. */
import { type AnswerState, useAnswer } from "../../service/answer.js";
import { getJson, type Pairs } from "../../service/request.js";
import { YEARS } from "../requests.js";
import { type Histogram, histogramOf, shownFirst } from "./histogram.js";

interface YearsFound {
  readonly whole: Histogram;
  /** Finer counts of the years to show first, if these are not all. */
  readonly part?: Histogram;
}

/** @returns undefined if no file found has a period */
async function yearsFound(
  flavour: string,
  query: Pairs,
  signal: AbortSignal,
): Promise<YearsFound | undefined> {
  const options = { in: { flavour }, query, signal };
  const whole = histogramOf(await getJson(YEARS, options));
  if (whole === undefined) return undefined;
  const since = shownFirst(whole);
  if (since <= whole.first) return { whole };
  const later: Pairs = [...query, ["since", String(since)]];
  const part = histogramOf(await getJson(YEARS, { ...options, query: later }));
  return { whole, ...(part && { part }) };
}

/** @param flavour undefined until known @param pairs the search without its period */
export function useYearsFound(
  flavour: string | undefined,
  pairs: Pairs,
): AnswerState<YearsFound | undefined> {
  const key = flavour === undefined ? undefined : JSON.stringify([flavour, pairs]);
  return useAnswer(key, (signal) => yearsFound(flavour ?? "", pairs, signal));
}
