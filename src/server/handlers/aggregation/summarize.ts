/** Summaries of what a search finds: of all files, of their boxes, and of their years. */
import type { components } from "../../../../generated/openapi.js";
import {
  BOX_FACETS,
  MAX_BOX_TEXTS,
  SAMPLE_QUERY,
  SAMPLE_ROWS,
  SUMMARY_FACETS,
} from "../../../domain/aggregation/summary.js";
import {
  DATED,
  SPAN_FACETS,
  type YearAxis,
  type YearSpan,
  yearAxis,
  yearHistogram,
} from "../../../domain/aggregation/years.js";
import { SIDES } from "../../../domain/vocabulary/catalogue-names.js";
import type { FacetAggregation, StepCounts } from "../../../index/query/facet-aggregations.js";
import {
  bucketsOf,
  byValue,
  countOf,
  numberIn,
  numbersIn,
} from "../../formats/aggregation/buckets.js";
import {
  estimatedSizes,
  SCORE,
  type Sizes,
  sampleFields,
} from "../../formats/aggregation/sizes.js";
import { type CatalogueSource, operationAddress } from "../../formats/catalogue.js";
import { boxRecord, compareBoxes } from "../../formats/records.js";
import { catalogueSource } from "../catalogues/catalogue-source.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { recordSearch, searchOf } from "../search/requested-search.js";
import type { Handler } from "../services.js";

/** Summarises the files found: number, years, formats, file systems, and the sizes of their lists. */
export const summarize: Handler<"summarize"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { search, client } = searchOf(request);
  const { filters } = search;
  const source = catalogueSource(request);
  const fields = [...sampleFields(source), SCORE];
  const sample = { query: SAMPLE_QUERY, fields, rows: SAMPLE_ROWS };
  const question = { filters, facets: SUMMARY_FACETS, sample };
  const found = await services.solr.aggregateFacets(question, client);
  recordSearch(request, search, found.found > 0);
  return taggedReply(request, summary(found, await sizesOf(found, source)));
};

const NOTHING = { files: 0, bytes: 0, sized_files: 0 };

function summary(
  { found, numbers }: FacetAggregation,
  sizes: Sizes,
): components["schemas"]["Summary"] {
  const formats = byValue(numbers.formats, 0, (sum, { count }) => sum + count);
  const storage = byValue(numbers.storage, NOTHING, (sum, bucket) => ({
    files: sum.files + bucket.count,
    bytes: sum.bytes + numberIn(bucket, "bytes"),
    sized_files: sum.sized_files + numberIn(bucket, "sized"),
  }));
  const total = (key: "bytes" | "sized_files"): number =>
    storage.reduce((sum, [, sums]) => sum + sums[key], 0);
  return {
    files: found,
    datasets: numberIn(numbers, "datasets"),
    bytes: total("bytes"),
    sized_files: total("sized_files"),
    start: typeof numbers.start === "string" ? numbers.start : null,
    end: typeof numbers.end === "string" ? numbers.end : null,
    formats: formats.map(([format, files]) => ({ format, files })),
    storage: storage.map(([fs_type, sums]) => ({ fs_type, ...sums })),
    retracted: countOf(numbers, "retracted"),
    estimated_bytes: sizes,
  };
}

/** The last estimate for a cached answer of the index, with the address of its search. */
const known = new WeakMap<FacetAggregation, { readonly address: string; readonly sizes: Sizes }>();

async function sizesOf(found: FacetAggregation, source: CatalogueSource): Promise<Sizes> {
  const address = operationAddress(source, "summarize");
  const last = known.get(found);
  if (last?.address === address) return last.sizes;
  const sizes = await estimatedSizes(found.sample, found.found, source);
  known.set(found, { address, sizes });
  return sizes;
}

type Boxes = components["schemas"]["Boxes"];
type Years = components["schemas"]["Years"];

const MAX_BOXES = 1000;

/** Lists the distinct boxes of the files found, with the number of files of each. */
export const listBoxes: Handler<"listBoxes"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { search, client } = searchOf(request);
  const question = { filters: search.filters, facets: BOX_FACETS };
  const { found, numbers } = await services.solr.aggregateFacets(question, client);
  recordSearch(request, search, found > 0);
  const texts = bucketsOf(numbers.boxes);
  const boxes = distinctBoxes(texts);
  return taggedReply(request, {
    total_count: found,
    known_files: numberIn(numbers, "known"),
    box_count: texts.length < MAX_BOX_TEXTS ? boxes.length : numberIn(numbers, "texts"),
    boxes: boxes.slice(0, MAX_BOXES),
  } satisfies Boxes);
};

/** Counts boxes that are written in several ways as one. The most frequent ones come first, equal ones by their sides. */
function distinctBoxes(texts: ReturnType<typeof bucketsOf>): Boxes["boxes"] {
  const all = new Map<string, Boxes["boxes"][number]>();
  for (const { val, count } of texts) {
    const box = boxRecord(val);
    if (box === undefined) continue;
    const key = SIDES.map((side) => box[side]).join();
    all.set(key, { ...box, files: count + (all.get(key)?.files ?? 0) });
  }
  return [...all.values()].sort((a, b) => b.files - a.files || compareBoxes(a, b));
}

export const countYears: Handler<"countYears"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { since, bars: maxBars } = request.query;
  const { search, client } = searchOf(request);
  const { filters } = search;
  const { solr } = services;
  const { found, numbers } = await solr.aggregateFacets({ filters, facets: SPAN_FACETS }, client);
  recordSearch(request, search, found > 0);
  const span = yearSpan(numbersIn(numbers, "dated"));
  const axis = span && yearAxis(span, { since, maxBars });
  let bars: Years["bars"] = [];
  if (axis !== undefined) {
    const dated = { filters: [...filters, ...DATED], facets: {}, steps: yearHistogram(axis) };
    bars = barsOf(axis, (await solr.aggregateFacets(dated, client)).steps);
  }
  return taggedReply(request, {
    total_count: found,
    known_files: countOf(numbers, "dated"),
    first: span?.first ?? null,
    last: span?.last ?? null,
    years_per_bar: axis?.yearsPerBar ?? 1,
    bars,
  } satisfies Years);
};

/** The year of an instant in Solr's notation, of any number of digits. */
const yearIn = (instant: unknown): number | undefined => {
  const [year] = /^[+-]?\d+(?=-)/.exec(String(instant)) ?? [];
  return year === undefined ? undefined : Number(year);
};

/** First and last year of the files that have both; undefined if none has. */
function yearSpan(dated: ReturnType<typeof numbersIn>): YearSpan | undefined {
  const [first, last] = [yearIn(dated?.first), yearIn(dated?.last)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** For each bar: the files that start in it or before, minus those that ended before it. */
function barsOf(
  { first, last, yearsPerBar }: YearAxis,
  steps: FacetAggregation["steps"],
): Years["bars"] {
  const nothing: StepCounts = { before: 0, counts: [] };
  const { time_start: starts = nothing, time_end: ends = nothing } = steps;
  let files = starts.before - ends.before;
  return starts.counts.map((begin, index) => {
    files += begin;
    const from = first + index * yearsPerBar;
    const bar = { first: from, last: Math.min(from + yearsPerBar - 1, last), files };
    files -= ends.counts[index] ?? 0;
    return bar;
  });
}
