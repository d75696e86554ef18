/** An index as the former release has left it, whose configsets are kept in test/index/solr/former. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { newest } from "../../../src/domain/search/lucene.js";
import { SolrCollection } from "../../../src/index/transport/client.js";
import type { SolrHttp } from "../../../src/index/transport/http.js";
import { parseWithVersions } from "../../../src/index/transport/json-response.js";
import { batchesOf } from "../../../src/platform/concurrency/time-slices.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { MAIN, type Settings } from "../../cli/command.js";
import type { TestDocument } from "../service/service.js";

/** Where the former release's configsets lie. */
export const FORMER = packagePath("test", "index", "solr", "former");

const MODELS = ["MPI-ESM1-2-LR", "Äöü 𝒳", "CanESM5", "a,b"];
const VARIABLES = ["tas", "pr", "orog"];

/** Public documents of every kind: several versions of a dataset, constant data, boxes, odd characters. */
function formerDocuments(count: number): TestDocument[] {
  return Array.from({ length: count }, (_, at) => {
    const pair = at >> 1;
    const variable = VARIABLES[pair % 3] as string;
    const version = `v20${10 + (at % 2)}0101`;
    // Two after each other are versions of one dataset; some keys are beyond U+FFFF, or below the surrogates.
    const odd = at % 50 < 2 ? "/\u{1f30d}" : at % 50 < 4 ? "/\uffee" : "";
    const name = `${variable}_${pair}.nc`;
    return {
      file: `/pool/CMIP6${odd}/${String(pair).padStart(7, "0")}/${version}/${name}`,
      uri: `file:///pool/${name}`,
      file_name: [name],
      version,
      project: ["CMIP6"],
      product: ["CMIP"],
      institute: ["MPI-M"],
      experiment: ["historical"],
      model: [MODELS[pair % 4]],
      variable: [variable],
      realm: ["atmos", "land"],
      ensemble: [`r${pair}`],
      time_frequency: ["mon"],
      cmor_table: ["Amon"],
      dataset: "sample",
      time: pair % 3 === 2 ? "fx" : `[19${50 + (at % 50)}-01-01T00:00:00Z TO 2000-12]`,
      ...(at % 5 !== 0 && { bbox: `ENVELOPE(${-(at % 170)},${at % 180},${at % 90},-${at % 80})` }),
      ...(at % 7 === 0 && { fs_type: "hsm", time_aggregation: ["max"] }),
      ...(at % 11 === 0 && { extra: JSON.stringify({ note: `no. ${at}` }) }),
    };
  });
}

/** Documents of user data in a former index. */
export const USERS = 200;

/** The collections of the former release: all versions, and the newest. */
export const FORMER_COLLECTIONS = ["files", "latest"] as const;

const isNewest = (documents: readonly TestDocument[], at: number): boolean =>
  at % 2 === 1 || at === documents.length - 1;

/** User data, which the former release has in both collections. */
const USER_DATA: readonly TestDocument[] = Array.from({ length: USERS }, (_, at) => ({
  file: `/home/ada/old-${at}.nc`,
  user: "ada",
  owner: "ada-1",
  variable: ["tas"],
  project: ["mine"],
  _claim_: `c${at}`,
  extra: JSON.stringify({ no: at }),
}));

/** Fills both collections as the former release does, with public documents and USERS documents of user data. */
export async function fillFormer(http: SolrHttp, count: number): Promise<void> {
  const all = formerDocuments(count);
  const documents = [...all, ...USER_DATA];
  const latest = [...all.filter((_, at) => isNewest(all, at)), ...USER_DATA];
  for (const [name, all] of [
    ["files", documents],
    ["latest", latest],
  ] as const) {
    const solr = new SolrCollection(http, name);
    for (const batch of batchesOf(all, 10_000)) {
      await solr.update(JSON.stringify(batch), {}, { timeoutMs: 120_000 });
    }
    await solr.commit(false, { timeoutMs: 120_000 });
  }
}

/** What the upgrade adds to a document, and what is of the index alone. */
const ADDED = [
  "_version_",
  "_generation_",
  "added",
  "updated",
  "dataset_id",
  "time_start",
  "time_end",
  "latest",
  "_dataset_",
  "_dataset_version_",
];

/** All fields that a former document has, also those that a search does not show. */
const ALL = "*,bbox_west,bbox_east,bbox_north,bbox_south";

/**
 * Every document of a collection with all that the former release knew of it, as digests by their files.
 *
 * @param filter in the syntax of the lucene parser
 */
async function contents(
  http: SolrHttp,
  core: string,
  filter = "*:*",
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let mark = "*"; ; ) {
    const page = { q: filter, fl: ALL, rows: "5000", sort: "file asc", cursorMark: mark };
    const parameters = new URLSearchParams(page);
    const options = { timeoutMs: 120_000 };
    const { text } = await new SolrCollection(http, core).select(parameters, options);
    const { response, nextCursorMark } = parseWithVersions(text) as {
      response: { docs: readonly Record<string, unknown>[] };
      nextCursorMark: string;
    };
    for (const document of response.docs) {
      const fields = Object.entries(document).filter(([name]) => !ADDED.includes(name));
      fields.sort(([a], [b]) => (a < b ? -1 : 1));
      const digest = createHash("sha1").update(JSON.stringify(fields)).digest("base64");
      found.set(String(document.file), digest);
    }
    if (nextCursorMark === mark) return found;
    mark = nextCursorMark;
  }
}

/** How two contents differ, in a few words each. */
export function difference(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const lost = [...before].flatMap(([file, digest]) => {
    const now = after.get(file);
    return now === digest ? [] : [`${now === undefined ? "lost" : "changed"} ${file}`];
  });
  return [...lost, ...[...after.keys()].filter((file) => !before.has(file)).map((f) => `new ${f}`)];
}

/** The documents of the former release, and those that its default searches find. */
export const former = async (http: SolrHttp) => ({
  all: await contents(http, "files"),
  newest: await contents(http, "latest"),
});

/** The same of this release. */
export const upgraded = async (http: SolrHttp) => ({
  all: await contents(http, "files"),
  newest: await contents(http, "files", newest("*:*")),
});

/** Starts `solr upgrade`, and kills it after some milliseconds. */
export async function killUpgrade(settings: Settings, moment: number): Promise<void> {
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, [MAIN, "solr", "upgrade"], { env, stdio: "ignore" });
  const ended = once(child, "close");
  await Promise.race([sleep(moment), ended]);
  child.kill("SIGKILL");
  await ended;
}
