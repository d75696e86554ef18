/**
 * An index whose disk was full: Lucene closes its writer for good at the first write that fails so, and a reload of the core
 * keeps the closed one. Only a new process opens it again; what was acknowledged is in the update log.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { freeBytes, MIN_FREE } from "../collections/storage-probe.js";
import { authorization, handlerPath, type SolrEndpoint, solrUrl } from "./endpoint.js";

/** What Solr says of a write that failed, or cannot be done any more. */
const FAILED_WRITE =
  /IndexWriter is closed|Server error writing document|Error logging (?:add|delete|commit)|No space left on device/i;

/** Whether a failure of Solr's may come of an index that is closed for good. */
export const mayBeBroken = (reason: string): boolean => FAILED_WRITE.test(reason);

/** Milliseconds between two looks at a full disk. */
const PAUSE = 500;

/** Waits until there is room again; undefined when it is not wanted any more. */
export async function untilRoom(dataDir: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await freeBytes(dataDir)) < MIN_FREE) {
    await sleep(PAUSE, undefined, { signal }).catch(() => {});
  }
}

/** Whether one of the cores cannot be written any more, though there is room: a commit of nothing tells. */
export async function isBroken(endpoint: SolrEndpoint, cores: readonly string[]): Promise<boolean> {
  const answers = cores.map(async (core) => {
    const url = solrUrl(endpoint, handlerPath(core, "update"));
    url.search = "commit=true&wt=json";
    const headers = { ...authorization(endpoint), "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(url, { method: "POST", body: "[]", headers, signal });
    const text = await response.text();
    return !response.ok && mayBeBroken(text);
  });
  const all = await Promise.allSettled(answers);
  return all.some((one) => one.status === "fulfilled" && one.value);
}
