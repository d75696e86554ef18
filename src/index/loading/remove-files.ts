/** Removes documents from both collections, and restores older versions to `latest`. */
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import {
  type IndexedVersion,
  indexedVersions,
  makeVisible,
  UPDATE_TIMEOUT,
  wholeDocuments,
} from "./latest.js";
import { withoutComputed } from "./load.js";
import { compareRanks, drsKey } from "./version.js";

/**
 * Removes public documents. Documents registered by users stay, whatever their path is.
 *
 * Can be repeated after an interruption: older versions return first, then the documents leave `latest`, and finally
 * `files`, by which they are found.
 *
 * @returns number of removed documents
 * @throws SolrUnavailable, SolrTimeout
 */
export async function removeDocuments(http: SolrHttp, files: readonly string[]): Promise<number> {
  if (files.length === 0) return 0;
  const [all, latest] = ["files", "latest"].map((name) => new SolrCollection(http, name)) as [
    SolrCollection,
    SolrCollection,
  ];
  await Promise.all([makeVisible(http, "files"), makeVisible(http, "latest")]);
  const keys = [...new Set(files.map(drsKey))];
  const leaving = new Set(files);
  const gone: string[] = [];
  const newest: IndexedVersion[] = [];
  for (const versions of (await indexedVersions(http, "files", keys)).values()) {
    const stay = versions.filter(({ file }) => !leaving.has(file));
    gone.push(...versions.filter(({ file }) => leaving.has(file)).map(({ file }) => file));
    const [first, ...others] = stay;
    if (first === undefined) continue;
    newest.push(
      others.reduce((best, one) => (compareRanks(best.rank, one.rank) < 0 ? one : best), first),
    );
  }
  const stands = await indexedVersions(http, "latest", keys);
  const back = newest
    .map(({ file }) => file)
    .filter((file) => {
      const there = stands.get(drsKey(file)) ?? [];
      return !there.some((one) => one.file === file);
    });
  const options = { timeoutMs: UPDATE_TIMEOUT };
  const documents: string[] = [];
  for await (const document of wholeDocuments(http, back)) {
    documents.push(JSON.stringify(withoutComputed(document)));
  }
  const again = { ...options, idempotent: true };
  if (documents.length > 0) await latest.updateTolerantly(`[${documents.join(",")}]`, again);
  // Includes documents that an interrupted load left in `latest` only.
  const inLatest = [...stands.values()].flat().map(({ file }) => file);
  const leave = inLatest.filter((file) => leaving.has(file));
  if (leave.length > 0) await latest.delete(leave, options);
  await latest.commit(false, options);
  if (gone.length > 0) await all.delete(gone, options);
  await all.commit(false, options);
  return new Set([...gone, ...leave]).size;
}
