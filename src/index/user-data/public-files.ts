/** Finds out which files are public data of the index, including uncommitted ones. */
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";

/** Files per request. */
const BATCH = 1000;

interface Found {
  readonly file: string;
  readonly owner?: unknown;
  readonly user?: unknown;
}

/** The files that are in the index and have no owner. */
export async function publicFiles(
  http: SolrHttp,
  files: readonly string[],
): Promise<ReadonlySet<string>> {
  const collection = new SolrCollection(http, "files");
  const known = new Set<string>();
  for (const batch of batchesOf(files, BATCH)) {
    const found = await collection.get<Found>(batch, ["file", "owner", "user"]);
    for (const { file, owner, user } of found) {
      if (owner === undefined && user === undefined) known.add(file);
    }
  }
  return known;
}
