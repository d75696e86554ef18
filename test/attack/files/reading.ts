/** The built service with files of somebody's making below its roots, and who reads them. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { datasetId } from "../../../src/files/zarr/address.js";
import { Serving, testSolrSettings } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { emptyIndex, load, testClient } from "../../support/service/service.js";
import { addSharedUser, signIn } from "../../support/service/sign-in.js";

export interface Reading {
  readonly serving: Serving;
  readonly dataDir: string;
  /** Access tokens of two users. */
  readonly tokens: readonly [string, string];
  /** Requests a key of a file in the folder; the page of it where the key is empty. */
  read(name: string, key: string, token: string, init?: RequestInit): Promise<Response>;
  /** The processes that read for it. */
  readers(): number[];
  close(): Promise<void>;
}

/** @param folder with the files, the one data root; @param names of files and stores in it */
export async function serveFolder(
  folder: string,
  names: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Reading> {
  const dataDir = freshFolder();
  await writeFile(join(dataDir, "sample-loaded"), "");
  const solr = testClient();
  await emptyIndex(solr);
  const file = (name: string): string => join(folder, name);
  await load(
    solr,
    names.map((name) => ({ file: file(name) })),
  );
  const serving = await Serving.start({
    ...testSolrSettings(),
    DATA_DIR: dataDir,
    DATA_ROOTS: folder,
    LOG_LEVEL: "error",
    CHECK_REPLIES: "0",
    ...settings,
  });
  const token = async (): Promise<string> =>
    (await signIn(serving, (await addSharedUser(solr.state)).name)).access_token;
  return {
    serving,
    dataDir,
    tokens: [await token(), await token()],
    read: (name, key, by, init) =>
      serving.get(`/data-portal/zarr/${datasetId(file(name))}.zarr${key && `/${key}`}`, {
        ...init,
        headers: { Authorization: `Bearer ${by}` },
      }),
    readers: () => readersOf(serving.pid),
    async close() {
      await serving.end("SIGKILL");
    },
  };
}

const SCRIPT = join("zarr", "worker", "worker.js");

/** The reading processes that a service has started. */
export function readersOf(service: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const isNode = readlinkSync(`/proc/${name}/exe`) === readlinkSync("/proc/self/exe");
      const isReader = readFileSync(`/proc/${name}/cmdline`, "utf8").includes(SCRIPT);
      const [, parent] =
        /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8")) ?? [];
      return isNode && isReader && Number(parent) === service ? [Number(name)] : [];
    } catch {
      // No process, or none any more.
      return [];
    }
  });
}

/** Resident memory in bytes; 0 of what has ended. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096;
  } catch {
    return 0;
  }
}

/** What a service and its reading processes take together, resident, in bytes. */
export const residentOf = (reading: Reading): number =>
  [reading.serving.pid, ...reading.readers()].reduce((sum, pid) => sum + residentBytes(pid), 0);

/** The most that they take while something is done, in bytes. */
export async function peakOf(reading: Reading, action: () => Promise<unknown>): Promise<number> {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentOf(reading));
  }, 10);
  try {
    await action();
  } finally {
    clearInterval(timer);
  }
  return most;
}

/** Times of pings, one after the other, until they are asked for. */
export function pinging(serving: Serving): () => Promise<readonly number[]> {
  let isOver = false;
  const times: number[] = [];
  const done = (async () => {
    while (!isOver) {
      const begin = performance.now();
      await (await serving.get("/ping")).text();
      times.push(performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return async () => {
    isOver = true;
    await done;
    return times.sort((a, b) => a - b);
  };
}

/** What 99 of 100 stay below. */
export const percentile99 = (sorted: readonly number[]): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? 0;
