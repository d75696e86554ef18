/** The years of what a search finds, whatever period it asks for: what a timeline offers. */
import { type Shown, useAnswer } from "../service/answer.js";
import { ask, type Pairs } from "../service/request.js";
import { yearOf } from "../service/years.js";
import { type Counted, histogramOf } from "./histogram.js";
import { PERIODS } from "./questions.js";

export interface YearsFound {
  readonly first: number;
  readonly last: number;
  /** Not there where so many files are found that their periods would be a long answer. */
  readonly counted?: Counted;
}

/** Files up to which their different periods are asked for: some megabytes at the very worst, as a rule some kilobytes. */
const MAX_FILES = 200_000;

/** @returns undefined where nothing that is found has a period with an end */
async function yearsFound(
  flavour: string,
  query: Pairs,
  signal: AbortSignal,
): Promise<YearsFound | undefined> {
  const asked = { in: { flavour, uniq_key: "file" }, query, signal };
  const { files, start, end } = await ask("/databrowser/summary/{flavour}/{uniq_key}", asked);
  if (files === 0 || (start === null && end === null)) return undefined;
  const [first, last] = [Date.parse(start ?? end ?? ""), Date.parse(end ?? start ?? "")];
  const ends = Number.isNaN(first + last)
    ? undefined
    : { first: yearOf(first), last: yearOf(last) };
  if (files > MAX_FILES) return ends;
  const { facets } = await ask(PERIODS, {
    ...asked,
    query: [...query, ["facets", "time"]],
  });
  const flat = facets.time ?? [];
  const counted = flat.flatMap((text, index): [string, number][] =>
    index % 2 === 0 ? [[text, Number(flat[index + 1] ?? 0)]] : [],
  );
  const histogram = histogramOf(counted);
  if (histogram === undefined) return ends;
  return { first: histogram.first, last: histogram.last, counted };
}

/** @param flavour undefined as long as it is not known @param pairs the search without its period */
export function useYearsFound(
  flavour: string | undefined,
  pairs: Pairs,
): Shown<YearsFound | undefined> {
  const key = flavour === undefined ? undefined : JSON.stringify([flavour, pairs]);
  return useAnswer(key, (signal) => yearsFound(flavour ?? "", pairs, signal));
}
