/**
 * Completes the marks of the newest versions: of documents that other programs wrote, of loads that were interrupted, and of datasets
 * of which several versions are marked, or none.
 *
 * No load leaves such a dataset where every write and read is right. A node of SolrCloud that was away, and does not know it yet, may
 * answer from an old state, so a load can miss the version whose mark has to go.
 */
import { FILES } from "../../collections/configset.js";
import { SolrUnavailable } from "../../errors.js";
import type { SolrHttp } from "../../transport/http.js";
import { makeVisible, select, selectFromLeaders } from "../lookups.js";
import { datasetOf, datasetVersion, UNVERSIONED } from "../version.js";
import { PUBLIC } from "./dataset-states.js";
import { type OnMarked, type SettleOptions, settleDatasets } from "./settle.js";
import { NEWEST, OLDER, writeMarks } from "./write-marks.js";

/** Documents that other programs wrote, in one request. */
const UNKNOWN_AT_ONCE = 20_000;
/** Versions in one answer. */
const VERSIONS_AT_ONCE = 20_000;

/** Without a mark or the name of their version. */
const UNKNOWN = `(*:* -latest:*) (*:* -_dataset_version_:*)`;
const VERSIONED = `-user:* -_dataset_version_:"${UNVERSIONED}"`;

interface CompleteOptions extends Omit<SettleOptions, "without"> {
  /** Looks at each dataset that has older versions: other programs may have marked one of them. */
  readonly isThorough?: boolean;
}

export async function completeMarks(
  http: SolrHttp,
  { collection = FILES, onMarked = () => {}, isThorough = false }: CompleteOptions = {},
): Promise<void> {
  const datasets = await adopt(http, collection, onMarked);
  for await (const one of wronglyMarked(http, collection, isThorough)) datasets.add(one);
  await settleDatasets(http, datasets, { collection, onMarked });
}

/**
 * Writes dataset and version into documents that lack them. Those without a mark are not found, and stay so until their dataset is
 * settled; user data and documents without a version are found.
 *
 * @returns the datasets of the documents
 */
async function adopt(http: SolrHttp, collection: string, onMarked: OnMarked): Promise<Set<string>> {
  const datasets = new Set<string>();
  for (let before = ""; ; ) {
    const parameters = new URLSearchParams({ q: UNKNOWN, fl: "file", rows: `${UNKNOWN_AT_ONCE}` });
    const { docs } = await select(http, collection, parameters);
    const files = docs.map(({ file }) => file);
    if (files.length === 0) return datasets;
    if (files.join("\n") === before) throw new SolrUnavailable("documents cannot be marked");
    before = files.join("\n");
    await writeMarks(http, collection, files, (document) => {
      const of = document.user === undefined ? datasetVersion(document) : undefined;
      if (of !== undefined) datasets.add(of.dataset);
      const isLatest = of === undefined || document.latest === true;
      onMarked(document.file, isLatest);
      return isLatest ? NEWEST : OLDER;
    });
    await makeVisible(http, collection);
  }
}

/** Datasets whose marks are wrong. In a collection without a route, a dataset may lie in several shards: each is judged by itself. */
async function* wronglyMarked(
  http: SolrHttp,
  collection: string,
  isThorough: boolean,
): AsyncGenerator<string> {
  const shards = http.topology.shards[collection] ?? [];
  for (const shard of shards.length > 0 ? shards.map((one) => ({ shards: one })) : [{}]) {
    const look = new Look(http, collection, shard);
    yield* look.datasetsWith("_replaces_:*");
    if (await look.hasMarkedTwice()) yield* look.markedTwice();
    if (isThorough) yield* look.datasetsWith("latest:false");
    // Not marked, where no version of the dataset is, or only a part of its version.
    yield* look.datasetsWith("latest:false", "-{!join from=_dataset_ to=_dataset_ v=$marked}");
    const joint = "{!join from=_dataset_version_ to=_dataset_version_ v=$marked}";
    yield* look.datasetsWith("latest:false", joint);
  }
}

interface Counts {
  readonly facets: {
    readonly datasets?: number;
    readonly versions?: number;
    readonly found?: { readonly buckets: readonly { readonly val: string }[] };
  };
}

/** Requests to one shard. */
class Look {
  constructor(
    readonly http: SolrHttp,
    readonly collection: string,
    /** The parameter that names it. */
    readonly shard: Readonly<Record<string, string>>,
  ) {}

  /** The datasets of the documents that match. */
  async *datasetsWith(clause: string, filter = "*:*"): AsyncGenerator<string> {
    const found = { type: "terms", field: "_dataset_", limit: -1 };
    const { facets } = await this.#facets(`+${clause} +${PUBLIC}`, filter, { found });
    for (const { val } of facets.found?.buckets ?? []) if (val !== UNVERSIONED) yield val;
  }

  /** Whether there are more marked versions than datasets. */
  async hasMarkedTwice(): Promise<boolean> {
    const counts = { datasets: "unique(_dataset_)", versions: "unique(_dataset_version_)" };
    const { facets } = await this.#facets(MARKED, "*:*", counts);
    return facets.versions !== facets.datasets;
  }

  /** In the order of the terms, the versions of a dataset are neighbours. */
  async *markedTwice(): AsyncGenerator<string> {
    let before = "";
    for (let offset = 0; ; offset += VERSIONS_AT_ONCE) {
      const terms = { type: "terms", field: "_dataset_version_", sort: "index" };
      const { facets } = await this.#facets(MARKED, "*:*", {
        found: { ...terms, limit: VERSIONS_AT_ONCE, offset },
      });
      const buckets = facets.found?.buckets ?? [];
      for (const { val } of buckets) {
        const dataset = datasetOf(val);
        if (dataset === before) yield dataset;
        before = dataset;
      }
      if (buckets.length < VERSIONS_AT_ONCE) return;
    }
  }

  #facets(q: string, filter: string, facets: object): Promise<Counts> {
    const parameters = new URLSearchParams({
      q,
      rows: "0",
      fq: `{!cache=false}${filter}`,
      marked: MARKED,
      "json.facet": JSON.stringify(facets),
      ...this.shard,
    });
    return selectFromLeaders<Counts>(this.http, this.collection, parameters);
  }
}

const MARKED = `latest:true ${VERSIONED}`;
