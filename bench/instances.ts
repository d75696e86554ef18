/**
 * Measures the throughput of metadata-search with one and two workers, and with one and two instances on a SolrCloud, as
 * ratios to Solr alone with the same requests.
 *
 *     npx tsx bench/instances.ts [N] [ROUNDS] [workers | instances]
 */
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PREFIX } from "../generated/prefix.js";
import { packagePath } from "../src/platform/package-root.js";
import { startCloudService } from "../test/support/solr/cloud-service.js";
import type { Target } from "./client.js";
import { CARDINALITIES, names, writeCatalogue } from "./make-catalogue.js";
import { RawSolr } from "./raw-solr.js";
import { RemoteClient } from "./remote-client.js";
import { median, milliseconds, perSecond, type Row, table } from "./report.js";
import { Service } from "./service.js";

const CLIENTS = 16;
const PATH = "databrowser/metadata-search/cmip6/file";
type Query = Readonly<Record<string, string>>;

/** Targets of a search; the number selects an address, in turn. */
interface Sides {
  ours(query: Query, number: number): Target;
  solr(query: Query, number: number): Promise<Target>;
}

interface Rates {
  readonly what: string;
  readonly ours: number;
  readonly solr: number;
  /** Median of the ratios of the rounds. */
  readonly ratio: number;
}

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Searches with two filters, each combination once. */
function* combinations(): Generator<Query, undefined> {
  for (const variable of range(CARDINALITIES.variables)) {
    for (const experiment of range(CARDINALITIES.experiments)) {
      yield {
        experiment_id: names.experiment(experiment),
        variable_id: names.variable(variable),
      };
    }
  }
}

const EVERYTHING: Query = {};

function* everything(): Generator<Query, undefined> {
  for (;;) yield EVERYTHING;
}

/** The next `count` searches. @throws if they run out */
const take = (from: Iterator<Query>, count: number): Query[] =>
  range(count).map(() => {
    const { value } = from.next();
    if (value === undefined) throw new Error("all combinations were asked for: fewer rounds");
    return value;
  });

type TargetOf = (query: Query, number: number) => Target | Promise<Target>;

/** Warm-up requests; they also show how many requests take about two seconds. */
const WARMUP = 48;
const MAX_BATCH = 1000;

/** The service and Solr in turn, because other processes may use the machine. */
async function throughput(
  what: string,
  { ours, solr }: Sides,
  client: RemoteClient,
  { fresh, rounds }: { fresh: Iterator<Query>; rounds: number },
): Promise<Rates[]> {
  const rate = async (side: TargetOf, queries: readonly Query[]): Promise<number> => {
    const targets = await Promise.all(queries.map(side));
    const { whole } = await client.do("series", { targets, clients: CLIENTS });
    return (targets.length / whole) * 1000;
  };
  const batch = async (side: TargetOf, queries: Iterator<Query>): Promise<number> => {
    await rate(side, take(queries, WARMUP));
    const warm = await rate(side, take(queries, WARMUP));
    return Math.max(WARMUP, Math.min(MAX_BATCH, Math.round(2 * warm)));
  };
  const compare = async (name: string, queries: Iterator<Query>): Promise<Rates> => {
    const sizes = { ours: await batch(ours, queries), solr: await batch(solr, queries) };
    const all: { ours: number; solr: number }[] = [];
    for (const _ of range(rounds)) {
      all.push({
        ours: await rate(ours, take(queries, sizes.ours)),
        solr: await rate(solr, take(queries, sizes.solr)),
      });
    }
    return {
      what: `${what}, ${name}`,
      ours: median(all.map((one) => one.ours)),
      solr: median(all.map((one) => one.solr)),
      ratio: median(all.map((one) => one.ours / one.solr)),
    };
  };
  const rates = [
    await compare("two filters, nothing asked twice", fresh),
    // Without an entity tag Solr counts each time.
    await compare("all facets of everything, asked again", everything()),
  ];
  say(table(rates.map(rowOf)));
  return rates;
}

const rowOf = ({ what, ours, solr, ratio }: Rates): Row => ({
  what,
  ours: perSecond(ours),
  solr: perSecond(solr),
  ratio: ratio.toFixed(2),
  target: "",
  met: undefined,
});

/** Two against one, by their ratios to Solr in the same rounds. */
const gain = (what: string, one: Rates | undefined, two: Rates | undefined): Row => ({
  what,
  ours: "",
  solr: "",
  ratio: ((two?.ratio ?? Number.NaN) / (one?.ratio ?? Number.NaN)).toFixed(2),
  target: "",
  met: undefined,
});

const compared = (name: string, one: readonly Rates[], two: readonly Rates[]): Row[] => [
  ...[...one, ...two].map(rowOf),
  gain(`2 ${name}s against 1, nothing asked twice`, one[0], two[0]),
  gain(`2 ${name}s against 1, asked again`, one[1], two[1]),
];

/** One service with the embedded Solr, first with one worker, then with two. */
async function measureWorkers(
  folder: string,
  catalogue: string,
  client: RemoteClient,
  rounds: number,
): Promise<Row[]> {
  const results: Rates[][] = [];
  for (const workers of [1, 2]) {
    const service = await Service.start(folder, { WORKERS: String(workers) });
    try {
      if (workers === 1) await service.index(catalogue);
      const ours = (query: Query) => ({ url: service.url(PATH.replace(/^\w+\//, ""), query) });
      const solr = (query: Query) => service.solr.facetRequest(query);
      const what = workers === 1 ? "1 worker" : `${workers} workers`;
      // The restart of Solr has emptied its caches, so searches may be repeated.
      const searches = { fresh: combinations(), rounds };
      results.push(await throughput(what, { ours, solr }, client, searches));
    } finally {
      await service.stop();
    }
  }
  const [one = [], two = []] = results;
  return compared("worker", one, two);
}

/** One client with a broad search: counted, against the same search from the cache. */
async function cached({ ours, solr }: Sides, client: RemoteClient): Promise<Row> {
  const queries = range(60).map((i) => ({ variable_id_not_: names.variable(i) }));
  const series = async (targets: readonly Target[]): Promise<number> => {
    const { each } = await client.do("series", { targets, clients: 1 });
    return median(each);
  };
  const counted = await series(queries.map((query) => ours(query, 0)));
  const raw = await series(await Promise.all(queries.map((query) => solr(query, 0))));
  const again = await series(range(200).map(() => ours(queries[0] ?? {}, 0)));
  return {
    what: `SolrCloud, one client: counted ${milliseconds(counted)}; the same again`,
    ours: milliseconds(again),
    solr: milliseconds(raw),
    ratio: `${(counted / again).toFixed(1)} times as fast`,
    target: "",
    met: undefined,
  };
}

/** Instances on a SolrCloud of three nodes, two shards and two replicas each; the client asks them in turn. */
async function measureInstances(
  catalogue: string,
  client: RemoteClient,
  rounds: number,
): Promise<Row[]> {
  const service = await startCloudService({ report: say });
  try {
    const env = { ...process.env, ...service.settings, DATA_DIR: join(catalogue, "..", "cloud") };
    const main = packagePath("dist", "src", "main.js");
    await promisify(execFile)(process.execPath, [main, "index", catalogue], { env });
    const nodes = service.cloud.nodes.map((node) => new RawSolr(node));
    const searches = { fresh: combinations(), rounds };
    const sides = (count: number): Sides => ({
      ours: (query, number) => {
        const { address = "" } = service.instances[number % count] ?? {};
        return { url: `${address}${PREFIX}/${PATH}?${new URLSearchParams(query)}` };
      },
      solr: (query, number) => {
        const node = nodes[number % nodes.length];
        if (node === undefined) throw new Error("a SolrCloud has a node");
        return node.facetRequest(query);
      },
    });
    const one = await throughput("1 instance", sides(1), client, searches);
    const two = await throughput("2 instances", sides(2), client, searches);
    return [...compared("instance", one, two), await cached(sides(1), client)];
  } finally {
    await service.stop();
  }
}

const [count = "200000", rounds = "3", part = ""] = process.argv.slice(2);
if (!/^\d{4,}$/.test(count) || !/^[1-3]$/.test(rounds) || !/^(workers|instances)?$/.test(part)) {
  say("Usage: npx tsx bench/instances.ts [N] [ROUNDS] [workers | instances]");
  say("N documents, at least 1000; up to 3 rounds; both parts where none is named");
  process.exit(2);
}
const setup = spawnSync(process.execPath, [packagePath("scripts", "setup.mjs")], {
  stdio: "inherit",
});
if (setup.status !== 0) process.exit(1);
const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
const client = new RemoteClient();
try {
  const load = loadavg()[0]?.toFixed(1);
  const catalogue = join(folder, "catalogue.jsonl");
  await writeCatalogue(catalogue, Number(count), "lines");
  const rows = [
    ...(part === "instances"
      ? []
      : await measureWorkers(join(folder, "data"), catalogue, client, Number(rounds))),
    ...(part === "workers" ? [] : await measureInstances(catalogue, client, Number(rounds))),
  ];
  const heading = `${Number(count).toLocaleString("en")} documents, ${availableParallelism()} cores, load before the run ${load}
The client (${CLIENTS} requests at a time), the service and all of Solr share these cores: two workers or instances can only
win what Solr and the client leave.`;
  process.stdout.write(`\n${heading}\n\n${table(rows)}\n`);
} finally {
  client.close();
  await rm(folder, { recursive: true, force: true });
}
