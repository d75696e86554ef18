/** The Solr of the test run, for tests of parts: without the service, which takes its time to be loaded. */
import { ShardTopology } from "../../../src/index/collections/shard-topology.js";
import { SolrState } from "../../../src/index/state/solr-state-store.js";
import type { StateStore } from "../../../src/index/state/state-store.js";
import type { SolrCollection } from "../../../src/index/transport/client.js";
import type { SolrEndpoint } from "../../../src/index/transport/endpoint.js";
import { SolrHttp } from "../../../src/index/transport/http.js";
import { valueOfNeed } from "../run/needs-folder.js";
import { SOLR, type TestSolr } from "../run/shared-solr.js";

/** The Solr of the run; undefined in a file for which none is started. */
export const startedSolr = (): TestSolr | undefined => valueOfNeed<TestSolr>(SOLR);

/** @throws in a file for which none is started */
export function testSolr(): TestSolr {
  const solr = startedSolr();
  if (solr === undefined) throw new Error("No Solr is started for this file: see CONTRIBUTING.md");
  return solr;
}

/** The Solr of the run, with the collections of this worker. */
export function testEndpoint(): SolrEndpoint {
  const { urls, user, password, prefixes } = testSolr();
  const [first, ...others] = urls;
  const prefix = prefixes?.[Number(process.env.VITEST_POOL_ID)];
  return {
    urls: [new URL(first), ...others.map((url) => new URL(url))],
    user,
    password,
    ...(prefix !== undefined && { prefix }),
  };
}

/** What the service's instances share, in the test run's Solr. */
export function testState(): StateStore {
  const http = new SolrHttp(testEndpoint(), 20_000);
  http.topology = new ShardTopology(testSolr().topology);
  return new SolrState(http);
}

/** Deletes all that a query in the syntax of the lucene parser finds. */
export async function deleteFound(collection: SolrCollection, query: string): Promise<void> {
  await collection.update(JSON.stringify({ delete: { query } }), { expandMacros: "false" });
}
