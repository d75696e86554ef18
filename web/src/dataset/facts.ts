/** The service's facts about one dataset. */
import { literally } from "../../../src/domain/search/lucene.js";
import type { Dataset } from "../results/datasets.js";
import { type AnswerState, useAnswer } from "../service/answer.js";
import { getJson, type Pairs } from "../service/request.js";

export interface DatasetFacts {
  /** Its newest files. */
  readonly newest: Dataset;
  /** With the files of all versions. */
  readonly all: Dataset;
  /** Values of details, by name, in the spelling of the files. */
  readonly details: ReadonlyMap<string, readonly string[]>;
  readonly furtherInfo: string | undefined;
  /** The tracking_id of one of the newest files, for example `hdl:21.14100/...`. */
  readonly trackingId: string | undefined;
}

const DETAILS = ["long_name", "standard_name", "units", "nominal_resolution", "license"];

/** The search that finds the newest files of a dataset. */
export const datasetPairs = (name: string): Pairs => [["dataset_id", literally(name)]];

const ALL: Pairs[number] = ["multi-version", "true"];

/** Files that details are read from. */
const MAX_READ = 100;

/** @returns a null value if the dataset has no files that the caller may see */
export function useDatasetFacts(
  name: string | undefined,
  flavour: string | undefined,
): AnswerState<DatasetFacts | null> {
  const key = name && flavour && JSON.stringify([flavour, name]);
  return useAnswer(key, async (signal) => {
    const pairs = datasetPairs(name ?? "");
    const place = { flavour: flavour ?? "" };
    const list = (query: Pairs) =>
      getJson("/databrowser/datasets/{flavour}", { in: place, query, signal });
    const [newest, all, files] = await Promise.all([
      list(pairs),
      list([...pairs, ALL]),
      getJson("/databrowser/extended-search/{flavour}/{uniq_key}", {
        in: { ...place, uniq_key: "file" },
        query: [
          ...pairs,
          ["fields", [...DETAILS, "further_info_url", "tracking_id"].join(",")],
          ["limit", String(MAX_READ)],
        ],
        signal,
      }),
    ]);
    // Names compare without case: the search may find others as well.
    const own = ({ datasets }: typeof newest): Dataset | undefined =>
      datasets.find(({ dataset_id }) => dataset_id === name) ?? datasets[0];
    const [one, every] = [own(newest), own(all)];
    if (one === undefined || every === undefined) return null;
    const textsOf = (field: string): string[] => [
      ...new Set(
        files.documents
          .flatMap((document) => document[field as keyof typeof document] ?? [])
          .flatMap((value) => (typeof value === "string" ? value : [])),
      ),
    ];
    return {
      newest: one,
      all: every,
      details: new Map(DETAILS.map((field) => [field, textsOf(field)])),
      furtherInfo: textsOf("further_info_url").find((url) => /^https?:\/\//.test(url)),
      trackingId: textsOf("tracking_id")[0],
    };
  });
}
