/** Reads which versions of datasets the index has, and which of them default searches find. */
import { groupBy } from "../../../platform/group-by.js";
import type { SolrHttp } from "../../transport/http.js";
import { portions, selectFromLeaders, termsOf, valuesOf } from "../lookups.js";
import { datasetOf } from "../version.js";

/** Public documents. User data are no version of other documents. */
export const PUBLIC = "(*:* -user:*)";

/** The visible documents of one version. */
interface VersionState {
  /** As DatasetVersion.version: greater texts are newer. */
  readonly version: string;
  readonly files: number;
  /** Those with the mark `latest`. */
  readonly marked: number;
}

/** A document that hides versions of its dataset while their marks change. */
interface Holder {
  readonly file: string;
  readonly version: string;
  readonly replaces: readonly string[];
}

export interface DatasetState {
  /** Oldest first. */
  readonly versions: readonly VersionState[];
  readonly holders: readonly Holder[];
}

/** Datasets in one request. */
const DATASETS = 2000;

/** The states of datasets of which the index has documents. */
export async function datasetStates(
  http: SolrHttp,
  collection: string,
  datasets: readonly string[],
): Promise<ReadonlyMap<string, DatasetState>> {
  const states = new Map<string, DatasetState>();
  for (const some of portions(datasets, DATASETS)) {
    const { versions, holders } = await readStates(http, collection, some);
    const holdersOf = groupBy(holders, ({ version }) => datasetOf(version));
    for (const [dataset, own] of groupBy(versions, ({ version }) => datasetOf(version)))
      states.set(dataset, { versions: own, holders: holdersOf.get(dataset) ?? [] });
  }
  return states;
}

interface Answer {
  readonly response: { readonly docs: readonly Readonly<Record<string, unknown>>[] };
  readonly facets: {
    readonly versions?: { readonly buckets: readonly VersionBucket[] };
  };
}
interface VersionBucket {
  readonly val: string;
  readonly count: number;
  readonly marked: { readonly count: number };
}

/** Finds the holders, and counts all documents of the datasets. */
async function readStates(
  http: SolrHttp,
  collection: string,
  datasets: readonly string[],
): Promise<{ versions: readonly VersionState[]; holders: readonly Holder[] }> {
  const parameters = new URLSearchParams({
    q: `+${PUBLIC} +_query_:"${termsOf("_dataset_").replaceAll('"', '\\"')}"`,
    fq: `{!tag=holders cache=false v="_replaces_:*"}`,
    fl: "file,_dataset_version_,_replaces_",
    rows: "10000",
    "json.facet": JSON.stringify(VERSIONS),
    ...valuesOf(datasets),
  });
  const { response, facets } = await selectFromLeaders<Answer>(http, collection, parameters);
  const versions = (facets.versions?.buckets ?? []).map(({ val, count, marked }) => ({
    version: val,
    files: count,
    marked: marked.count,
  }));
  const holders = response.docs.map((document) => ({
    file: String(document.file),
    version: String(document._dataset_version_),
    replaces: (document._replaces_ as readonly unknown[]).map(String),
  }));
  return { versions, holders };
}

const VERSIONS = {
  versions: {
    type: "terms",
    field: "_dataset_version_",
    limit: -1,
    sort: "index",
    domain: { excludeTags: "holders" },
    facet: { marked: { type: "query", q: "latest:true" } },
  },
};

/** The versions that default searches find: one, unless marks are wrong. */
export function foundVersions({ versions, holders }: DatasetState): readonly VersionState[] {
  const hidden = new Set(holders.flatMap(({ replaces }) => replaces));
  return versions.filter(({ version, marked }) => marked > 0 && !hidden.has(version));
}

/** The newest version; undefined if there is none. @param without versions that do not count */
export const newestVersion = (
  { versions }: DatasetState,
  without: ReadonlySet<string> = new Set(),
): VersionState | undefined => versions.findLast(({ version }) => !without.has(version));

/** Whether exactly the documents of the newest version are marked, and none hides others. */
export function isSettled(state: DatasetState): boolean {
  const newest = newestVersion(state);
  return (
    state.holders.length === 0 &&
    state.versions.every((one) => one.marked === (one === newest ? one.files : 0))
  );
}
