/** The Solr of the test run, for tests of parts: without the service, which takes its time to be loaded. */
import { inject } from "vitest";
import { ShardTopology } from "../../src/index/collections/shard-topology.js";
import { SolrState } from "../../src/index/state/solr-state-store.js";
import type { StateStore } from "../../src/index/state/state-store.js";
import type { SolrEndpoint } from "../../src/index/transport/endpoint.js";
import { SolrHttp } from "../../src/index/transport/http.js";
import type { TestSolr } from "./global-setup.js";

/** The Solr that this file has for itself while it runs, or the SolrCloud of the run. */
export function startedSolr(): TestSolr | undefined {
  const solrs = inject("solrs") as readonly TestSolr[] | undefined;
  return solrs?.[Number(process.env.VITEST_POOL_ID) - 1];
}

/** @throws in a file for which none is started */
export function testSolr(): TestSolr {
  const solr = startedSolr();
  if (solr === undefined) throw new Error("This file is one of PURE or OWN in vitest.config.ts");
  return solr;
}

export function testEndpoint(): SolrEndpoint {
  const { urls, user, password } = testSolr();
  const [first, ...others] = urls;
  return { urls: [new URL(first), ...others.map((url) => new URL(url))], user, password };
}

/** What the service's instances share, in the test run's Solr. */
export function testState(): StateStore {
  const http = new SolrHttp(testEndpoint(), 20_000);
  http.topology = new ShardTopology(testSolr().topology);
  return new SolrState(http);
}
