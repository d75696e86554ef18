/**
 * Recovery of an index after a full disk. Lucene closes its writer at the first failed write, and a reload of the core
 * does not open it again. Only a new process does. Acknowledged changes are in the update log.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { freeBytes, MIN_FREE } from "../collections/storage-probe.js";
import { handlerPath, type SolrEndpoint } from "./endpoint.js";
import { fetchNode } from "./reachable.js";

/** Solr's messages for failed writes, and for writes to a closed index. */
const FAILED_WRITE =
  /IndexWriter is closed|Server error writing document|Error logging (?:add|delete|commit)|No space left on device/i;

/** Whether a closed index may be the reason of a failure of Solr. */
export const mayBeBroken = (reason: string): boolean => FAILED_WRITE.test(reason);

/** Milliseconds between two checks of a full disk. */
const POLL_INTERVAL_MS = 500;

/** Waits until the disk has space again, or the signal is aborted. */
export async function untilRoom(dataDir: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await freeBytes(dataDir)) < MIN_FREE) {
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
}

/** Whether a core refuses writes although the disk has space. Tested by an empty commit. */
export async function isBroken(endpoint: SolrEndpoint, cores: readonly string[]): Promise<boolean> {
  const answers = cores.map(async (core) => {
    const path = `${handlerPath(core, "update")}?commit=true&wt=json`;
    const signal = AbortSignal.timeout(30_000);
    const request = { body: "[]", type: "application/json", signal };
    const { isOk, text } = await fetchNode(endpoint, path, request);
    return !isOk && mayBeBroken(text);
  });
  const all = await Promise.allSettled(answers);
  return all.some((one) => one.status === "fulfilled" && one.value);
}
