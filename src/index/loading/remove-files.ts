/** Removes documents, and marks the next newest versions. */
import { FILES } from "../collections/configset.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { indexedVersions, makeVisible, UPDATE_TIMEOUT } from "./indexed-versions.js";
import { planMarks } from "./marks/mark-plan.js";
import { completeMarks, marksOf, writeMarks } from "./marks/marks.js";
import { drsKey } from "./version.js";

/**
 * Removes public documents. Documents registered by users stay, whatever their path is. Can be repeated after an interruption.
 *
 * @returns number of removed documents
 * @throws SolrUnavailable, SolrTimeout
 */
export async function removeDocuments(http: SolrHttp, files: readonly string[]): Promise<number> {
  if (files.length === 0) return 0;
  const options = { timeoutMs: UPDATE_TIMEOUT };
  const solr = new SolrCollection(http, FILES);
  await makeVisible(http);
  const leaving = new Set(files);
  const gone: string[] = [];
  const versions = await indexedVersions(http, [...new Set(files.map(drsKey))]);
  const plans = [...versions.values()].map((present) => {
    const all = present.filter(({ file, isPublic }) => isPublic && leaving.has(file));
    for (const { file } of all) gone.push(file);
    return planMarks(present, [], new Set(all.map(({ file }) => file)));
  });
  for (const step of ["hold", "write"] as const) await writeMarks(http, marksOf(plans, step));
  if (gone.length > 0) await solr.delete(gone, options);
  await writeMarks(http, marksOf(plans, "release"));
  await solr.commit(false, options);
  await completeMarks(http);
  return gone.length;
}
