/** A SolrCloud for all tests of a file. */
import { SolrAdmin } from "../../../src/index/collections/admin.js";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { setUpCollections } from "../../../src/index/collections/set-up-collections.js";
import type { SolrTopology } from "../../../src/index/collections/shards.js";
import { use } from "../run/use.js";
import { type SolrCloud, type SolrCloudOptions, startSolrCloud } from "./solr-cloud.js";

export const useCloud = (options?: SolrCloudOptions): SolrCloud =>
  use(
    () => startSolrCloud(options),
    (cloud) => cloud.stop(),
  );

/** Makes the service's collections in it, and waits until they are whole. @returns where they are */
export async function layOut(
  cloud: SolrCloud,
  layout: { readonly shards: number; readonly replicas: number },
): Promise<SolrTopology> {
  await setUpCollections(new SolrAdmin(cloud.endpoint), { ...layout, report: () => {} });
  await cloud.whole();
  return inspectCollections(cloud.endpoint, ["files", "state"]);
}
