/**
 * Measures the index rate of a SolrCloud of three nodes, two shards and two replicas: the command `index` against a raw
 * bulk request to the same cloud.
 *
 *     npx tsx bench/cloud-index.ts [N] [ROUNDS]
 *
 * The raw request has all documents in one JSON body, and a commit at its end. `index` reads the documents as JSON Lines,
 * checks them, marks the newest versions, and commits; its time includes the start of the process. The collections are made
 * by `solr setup`. The two take turns; the ratio is the median of all rounds.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { SolrAdmin } from "../src/index/collections/admin.js";
import { setUpCollections } from "../src/index/collections/set-up-collections.js";
import { solrUrl } from "../src/index/transport/endpoint.js";
import { packagePath } from "../src/platform/package-root.js";
import { type SolrCloud, startSolrCloud } from "../test/support/solr/solr-cloud.js";
import { writeCatalogue } from "./make-catalogue.js";
import { RemoteClient } from "./remote-client.js";
import { median, perSecond, table } from "./report.js";

const LAYOUT = { shards: 2, replicas: 2, report: () => {} };
const COLLECTIONS = ["files"] as const;
const [count, rounds] = ["50000", "3"].map((usual, at) => Number(process.argv[2 + at] ?? usual));
if (!Number.isInteger(count) || !Number.isInteger(rounds) || !count || !rounds) {
  process.stderr.write("Usage: cloud-index [N] [ROUNDS]\n");
  process.exit(2);
}
const number = count;

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Makes new, empty collections. */
async function makeAnew(cloud: SolrCloud): Promise<void> {
  for (const name of COLLECTIONS) {
    await cloud.admin("admin/collections", { action: "DELETEALIAS", name }).catch(() => {});
    const collection = `${name}_3`;
    await cloud.admin("admin/collections", { action: "DELETE", name: collection }).catch(() => {});
  }
  await setUpCollections(new SolrAdmin(cloud.endpoint), LAYOUT);
  await cloud.whole();
}

async function found(cloud: SolrCloud, name: string): Promise<number> {
  const answer = await cloud.admin(`${name}/select`, { q: "*:*", rows: "0" });
  return (answer as { response: { numFound: number } }).response.numFound;
}

async function raw(cloud: SolrCloud, client: RemoteClient, file: string): Promise<number> {
  const { urls } = cloud.endpoint;
  const targets = COLLECTIONS.map((name, at) => ({
    url: `${solrUrl(cloud.endpoint, `${name}/update`, urls[at])}?commit=true`,
  }));
  const { whole } = await client.do("upload", { targets, file });
  for (const name of COLLECTIONS) {
    const here = await found(cloud, name);
    if (here !== number) throw new Error(`${name} has ${here} documents of ${number}`);
  }
  return whole;
}

async function ours(cloud: SolrCloud, folder: string, file: string): Promise<number> {
  const start = performance.now();
  const main = packagePath("dist", "src", "main.js");
  const settings = {
    SOLR_URL: cloud.endpoint.urls.map(({ href }) => href).join(","),
    DATA_DIR: join(folder, "data"),
  };
  const command = spawn(process.execPath, [main, "index", file], {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  command.stderr.on("data", (piece) => {
    stderr += piece;
  });
  const [code] = await once(command, "close");
  if (code !== 0) throw new Error(`index ended with ${code}: ${stderr.slice(-2000)}`);
  const whole = performance.now() - start;
  const here = await found(cloud, "files");
  if (here !== number) throw new Error(`files has ${here} documents of ${number}`);
  return whole;
}

const setup = spawnSync(process.execPath, [packagePath("scripts", "setup.mjs")], {
  stdio: "inherit",
});
if (setup.status !== 0) process.exit(1);
const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
const client = new RemoteClient();
const load = loadavg()[0]?.toFixed(1);
const cloud = await startSolrCloud({ nodes: 3, heap: "1g" });
try {
  const [lines, array] = [join(folder, "all.jsonl"), join(folder, "all.json")];
  await writeCatalogue(lines, number, "lines");
  await writeCatalogue(array, number, "array");
  const times: { readonly raw: number; readonly ours: number }[] = [];
  for (let round = 0; round < (rounds ?? 1); round++) {
    await makeAnew(cloud);
    const one = await raw(cloud, client, array);
    await makeAnew(cloud);
    const other = await ours(cloud, folder, lines);
    times.push({ raw: one, ours: other });
    say(`raw ${(one / 1000).toFixed(1)} s, index ${(other / 1000).toFixed(1)} s`);
  }
  const rate = (name: "raw" | "ours") => (number / median(times.map((time) => time[name]))) * 1000;
  const ratio = median(times.map((time) => time.raw / time.ours));
  const row = {
    what: "index into 3 nodes, 2 shards x 2 replicas, against one bulk request to them",
    ours: perSecond(rate("ours")),
    solr: perSecond(rate("raw")),
    ratio: ratio.toFixed(2),
    target: ">= 0.60",
    met: ratio >= 0.6,
  };
  const on = `${availableParallelism()} cores, load before the run ${load}`;
  process.stdout.write(`\n${number.toLocaleString("en")} documents, ${on}\n\n${table([row])}\n`);
} finally {
  client.close();
  await cloud.stop();
  await rm(folder, { recursive: true, force: true });
}
