/**
 * Compares two collections, `files` with all versions and `latest` with the newest, to one collection with a mark, without the
 * service: on the embedded Solr, or on a SolrCloud of three nodes with two shards and two replicas.
 *
 *     npx tsx bench/one-collection.ts [N]        # N documents, 200,000
 *     npx tsx bench/one-collection.ts N cloud
 *     npx tsx bench/one-collection.ts N embedded 2    # with 2 versions a file, not 1.1, 2 and 5
 *
 * Milliseconds of Solr's processor time, which other work on the machine changes less than the time that passes; bytes on disk
 * after merging to one segment; bytes of heap, with caches, that are free after a collection of garbage once a form is emptied.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newest } from "../src/domain/search/lucene.js";
import { FACET_NAMES } from "../src/domain/vocabulary/facets.js";
import { startEmbeddedSolr } from "../src/index/embedded/embedded.js";
import { Loader } from "../src/index/loading/load.js";
import type { SolrEndpoint } from "../src/index/transport/endpoint.js";
import { SolrHttp } from "../src/index/transport/http.js";
import { batchesOf } from "../src/platform/concurrency/time-slices.js";
import { startSolrCloud } from "../test/support/solr/solr-cloud.js";
import { documents, names } from "./make-catalogue.js";
import { RawSolr } from "./raw-solr.js";
import { median } from "./report.js";
import { cpuSecondsOf } from "./service.js";

const ROUNDS = 5;
/** Requests of a kind in a row: processor time is counted in steps of 10 ms. */
const REPEATS = 20;
const BATCH = 20_000;
const [, , wanted, place = "embedded", ...averages] = process.argv;
const total = Number(wanted ?? "200000");

interface Marked {
  readonly text: string;
  readonly isNewest: boolean;
}

/** Documents of files with so many versions on average. */
function versions(count: number, average: number): Marked[] {
  const all: Marked[] = [];
  let files = 0;
  for (const text of documents(count, "details")) {
    if (all.length >= count) break;
    // The catalogue's own versions are other files here.
    const one = text.replaceAll("/v2018", "/old/v2019").replaceAll("/v2020", "/new/v2019");
    all.push({ text: one, isNewest: true });
    files += 1;
    for (let older = 0; all.length < files * average && all.length < count; older += 1) {
      all.push({ text: one.replaceAll("v201911", `v20171${older}`), isNewest: false });
    }
  }
  return all;
}

const CORES = ["files", "latest", "one"];

/** The Solr that is measured. */
interface Subject {
  readonly endpoint: SolrEndpoint;
  /** Its nodes, each by itself. */
  readonly nodes: readonly SolrEndpoint[];
  /** Its Java processes. */
  readonly pids: readonly number[];
  /** What lists of a collection are read from, as /export knows one shard. */
  shardsOf(name: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

async function startEmbedded(): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
  const { endpoint, pid, stop } = await startEmbeddedSolr({
    ...{ dataDir: folder, heap: "2g", cores: CORES, report: () => {} },
  });
  return {
    ...{ endpoint, nodes: [endpoint], pids: [pid] },
    shardsOf: async (name) => [name],
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startCloud(): Promise<Subject> {
  const cloud = await startSolrCloud({ nodes: 3, heap: "1g" });
  for (const core of CORES) await cloud.create(core, 2, 2);
  await cloud.whole();
  const { endpoint, nodes, members } = cloud;
  return {
    ...{ endpoint, nodes, pids: members.map((one) => one.pid()) },
    shardsOf: async (name) => Object.values(await cloud.leaders(name)),
    stop: () => cloud.stop(),
  };
}

const subject = await (place === "cloud" ? startCloud() : startEmbedded());
const solr = new RawSolr(subject.endpoint);
const nodes = subject.nodes.map((endpoint) => new RawSolr(endpoint));

async function post(core: string, texts: readonly string[]): Promise<void> {
  for (const batch of batchesOf(texts, BATCH)) {
    const response = await fetch(solr.target(`${core}/update`).url, {
      method: "POST",
      headers: { ...solr.target("").headers, "Content-Type": "application/json" },
      body: `[${batch.join(",")}]`,
    });
    if (!response.ok) throw new Error(await response.text());
  }
  await solr.get(`${core}/update?commit=true`);
}

/** Loads documents into `files` as `index` does. */
async function load(texts: readonly string[]): Promise<void> {
  const loader = new Loader(new SolrHttp(subject.endpoint, 600_000), { onRefused: () => {} });
  await loader.load(
    (async function* () {
      for (const [at, text] of texts.entries()) yield { text, line: at + 1 };
    })(),
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const processorSeconds = async (): Promise<number> =>
  sum(await Promise.all(subject.pids.map(cpuSecondsOf)));

/** Milliseconds of Solr's processor time. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const begin = await processorSeconds();
  await work();
  return ((await processorSeconds()) - begin) * 1000;
}

/** Bytes on disk of all replicas of a core, in one segment each. */
async function bytes(core: string): Promise<number> {
  await solr.get(`${core}/update?optimize=true&maxSegments=1`);
  const sizes = nodes.map(async (node) => {
    const text = await node.get("admin/metrics?wt=json&group=core&prefix=INDEX.sizeInBytes");
    const { metrics } = JSON.parse(text) as { metrics: Record<string, Record<string, number>> };
    const own = Object.entries(metrics).filter(([name]) => name.split(".")[2] === core);
    return sum(own.flatMap(([, values]) => Object.values(values)));
  });
  return sum(await Promise.all(sizes));
}

/** Bytes of heap that are in use after a collection of garbage. */
async function heapInUse(): Promise<number> {
  for (const pid of subject.pids) execFileSync("jcmd", [String(pid), "GC.run"]);
  return sum(await Promise.all(nodes.map((node) => node.heapUsed())));
}

const writeRow = (what: string, two: number, one: number): void => {
  const ratio = (one / two).toFixed(2);
  process.stdout.write(`| ${what} | ${two.toFixed(1)} | ${one.toFixed(1)} | ${ratio} |\n`);
};

const query = (filters: readonly string[], more: Readonly<Record<string, string>>): string => {
  const parameters = new URLSearchParams({ q: "*:*", ...more });
  for (const filter of filters) parameters.append("fq", filter);
  return String(parameters);
};
const FACETS = FACET_NAMES.map((name) => `&facet.field=${name}`).join("");
const all = { facet: "true", "facet.limit": "-1", "facet.mincount": "1", rows: "0" };
const list = { sort: "file asc", fl: "file" };

/** The two forms: where documents go, and how the newest are searched. */
const FORMS = {
  two: { core: "latest", base: ["-user:*"] },
  one: { core: "one", base: [newest("-user:*")] },
} as const;
type Form = keyof typeof FORMS;
let count = 0;
const fresh = (): string => `ensemble:"${names.member(count++ % 50)}" OR ensemble:x${count}`;

const WORK: Readonly<Record<string, (core: string, base: readonly string[]) => Promise<unknown>>> =
  {
    "search, 20 of a variable and a model": (core, base) => {
      const one = count++;
      const filters = [
        ...base,
        `variable:${names.variable(one % 300)}`,
        `model:"${names.model(one % 120)}"`,
      ];
      return solr.get(`${core}/select?${query(filters, { rows: "20" })}`);
    },
    "all facets, filter not cached": (core, base) =>
      solr.get(`${core}/select?${query([...base, fresh()], all)}${FACETS}`),
    "a commit, and all facets after it": async (core, base) => {
      await solr.update(core, { add: { doc: { file: `/bench/${count++}`, user: "bench" } } });
      await solr.get(`${core}/select?${query(base, all)}${FACETS}`);
    },
    "100 datasets": (core, base) => {
      const facet = { datasets: { type: "terms", field: "dataset_id", limit: 100, sort: "index" } };
      const groups = { rows: "0", "json.facet": JSON.stringify(facet) };
      return solr.get(`${core}/select?${query([...base, fresh()], groups)}`);
    },
    "list of all paths": async (core, base) => {
      for (const shard of await subject.shardsOf(core)) {
        await solr.get(`${shard}/export?${query(base, list)}`);
      }
    },
  };

try {
  for (const average of averages.length > 0 ? averages.map(Number) : [1.1, 2, 5]) {
    const docs = versions(total, average);
    const texts = docs.map(({ text }) => text);
    const newestTexts = docs.flatMap(({ text, isNewest }) => (isNewest ? [text] : []));
    const marked = docs.map(({ text, isNewest }) => `${text.slice(0, -1)},"latest":${isNewest}}`);
    const times = new Map<string, Record<Form, number[]>>();
    const note = (what: string, form: Form, value: number): void => {
      const row = times.get(what) ?? { two: [], one: [] };
      row[form].push(value);
      times.set(what, row);
    };
    for (let round = 0; round < 2; round += 1) {
      for (const core of CORES) await solr.empty(core);
      const loading = await costOf(() => load(texts));
      await solr.empty("files");
      const two = await costOf(async () => {
        await post("files", texts);
        await post("latest", newestTexts);
      });
      note("indexing, one request at a time", "two", two);
      const one = await costOf(() => post("one", marked));
      note("indexing, one request at a time", "one", one);
      // Against the raw requests to one collection.
      note("the loader of `index`, against raw requests to one", "two", one);
      note("the loader of `index`, against raw requests to one", "one", loading);
    }
    note("disk, one segment", "two", (await bytes("files")) + (await bytes("latest")));
    note("disk, one segment", "one", await bytes("one"));
    for (const [what, work] of Object.entries(WORK)) {
      for (let round = 0; round <= ROUNDS; round += 1) {
        const before = count;
        for (const form of ["two", "one"] as const) {
          count = before;
          const { core, base } = FORMS[form];
          const cost = await costOf(async () => {
            for (let n = 0; n < REPEATS; n += 1) await work(core, base);
          });
          // The first round is warm-up.
          if (round > 0) note(what, form, cost / REPEATS);
        }
      }
    }
    process.stdout.write(`${docs.length} documents, ${newestTexts.length} files\n`);
    for (const [what, { two, one }] of times) writeRow(what, median(two), median(one));
    const [before, withoutOne, without] = [
      await heapInUse(),
      await solr.empty("one").then(heapInUse),
      await Promise.all([solr.empty("files"), solr.empty("latest")]).then(heapInUse),
    ];
    writeRow("heap", withoutOne - without, before - withoutOne);
  }
} finally {
  await subject.stop();
}
