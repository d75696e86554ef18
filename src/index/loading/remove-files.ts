/** Removes documents, and marks the newest of the versions that stay. */
import { FILES } from "../collections/configset.js";
import { SolrUnavailable } from "../errors.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { documentsOf, makeVisible, type StoredDocument, UPDATE_TIMEOUT } from "./lookups.js";
import { completeMarks } from "./marks/complete-marks.js";
import { datasetStates, foundVersions } from "./marks/dataset-states.js";
import { type OnMarked, settleDatasets } from "./marks/settle.js";
import { datasetOf, UNVERSIONED } from "./version.js";

/** Attempts to delete documents that stay. */
const MAX_ATTEMPTS = 20;

/**
 * Removes documents. Those that users registered stay, whatever their path is. Can be repeated after an interruption.
 *
 * @returns number of removed documents
 */
export async function removeDocuments(http: SolrHttp, files: readonly string[]): Promise<number> {
  if (files.length === 0) return 0;
  const options = { timeoutMs: UPDATE_TIMEOUT };
  const solr = new SolrCollection(http, FILES);
  await makeVisible(http);
  const gone: string[] = [];
  const versions: string[] = [];
  for await (const document of documentsOf(http, files, ["file", "owner", "_dataset_version_"])) {
    if (document.owner !== undefined) continue;
    gone.push(document.file);
    versions.push(String(document._dataset_version_ ?? UNVERSIONED));
  }
  await prepareLeaving(http, versions);
  for (let [left, attempts] = [gone, 0]; left.length > 0; attempts += 1) {
    if (attempts === MAX_ATTEMPTS) throw new SolrUnavailable("removed documents are still there");
    await solr.delete(left, options);
    if (!solr.mayLose) break;
    const stored = await solr.get<StoredDocument>(left, ["file", "owner"], options);
    // A file that a user has registered since then stays.
    left = stored.flatMap(({ file, owner }) => (owner === undefined ? file : []));
  }
  await solr.commit(false, options);
  await completeMarks(http);
  return gone.length;
}

/** Versions that lose their last document. */
export interface Leaving {
  readonly ended: ReadonlySet<string>;
  /** The found ones among them whose dataset has no version that stays. */
  readonly alone: ReadonlySet<string>;
}

/**
 * Makes searches find another version of the datasets whose found version is about to lose its last document.
 *
 * @param leaving the version of each document that leaves it
 */
export async function prepareLeaving(
  http: SolrHttp,
  leaving: readonly string[],
  onMarked: OnMarked = () => {},
): Promise<Leaving> {
  const counts = new Map<string, number>();
  for (const version of leaving) {
    if (version !== UNVERSIONED) counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  const states = await datasetStates(http, FILES, [...new Set([...counts.keys()].map(datasetOf))]);
  const ended = new Set<string>();
  const alone = new Set<string>();
  const datasets: string[] = [];
  for (const [dataset, state] of states) {
    const ends = state.versions.filter(({ version, files }) => counts.get(version) === files);
    for (const { version } of ends) ended.add(version);
    const found = foundVersions(state).filter((one) => ends.includes(one));
    if (found.length > 0) datasets.push(dataset);
    if (ends.length === state.versions.length) for (const { version } of found) alone.add(version);
  }
  if (datasets.length > 0) {
    await settleDatasets(http, datasets, { without: ended, onMarked });
  }
  return { ended, alone };
}
