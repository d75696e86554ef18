import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { writePrivateFile } from "../../platform/file-system/private-files.js";
import { isRunning } from "../../platform/processes/process-identity.js";
import type { SolrEndpoint } from "../transport/endpoint.js";
import { askNode } from "../transport/reachable.js";
import { readPassword, solrUser } from "./password.js";

/** The content of `endpoint.json` in the data folder's `solr` folder, which describes the embedded Solr and its process. */
const record = z.object({
  pid: z.number(),
  started: z.string(),
  url: z.string(),
  /** Whether its cores have answered. */
  ready: z.boolean(),
});
type RunningSolr = z.infer<typeof record>;

const fileName = "endpoint.json";

/** The request for the state of all cores. */
export const CORES = "admin/cores?action=STATUS&indexInfo=false&wt=json";

/** Records the Solr that runs for `folder`. */
export async function recordRunning(folder: string, running: RunningSolr): Promise<void> {
  await writePrivateFile(join(folder, fileName), `${JSON.stringify(running)}\n`);
}

/** Records that no Solr runs for `folder`. */
export async function clearRunning(folder: string): Promise<void> {
  await rm(join(folder, fileName), { force: true });
}

/** The last record. Its process may have ended. */
export async function readRunning(folder: string): Promise<RunningSolr | undefined> {
  try {
    return record.parse(JSON.parse(await readFile(join(folder, fileName), "utf8")));
  } catch {
    return undefined;
  }
}

/**
 * The embedded Solr that runs for a data folder, with its password; undefined if there is none. Waits for one that is
 * starting.
 */
export async function findRunningSolr(dataDir: string): Promise<SolrEndpoint | undefined> {
  const folder = join(resolve(dataDir), "solr");
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    const running = await readRunning(folder);
    if (running === undefined || !(await isRunning(running))) return undefined;
    if (running.ready) {
      const password = await readPassword(folder);
      if (password === undefined) return undefined;
      const endpoint: SolrEndpoint = { urls: [new URL(running.url)], user: solrUser, password };
      const signal = AbortSignal.timeout(10_000);
      const answer = await askNode(endpoint, endpoint.urls[0], CORES, signal);
      return answer?.isOk ? endpoint : undefined;
    }
    await sleep(200);
  }
  return undefined;
}
