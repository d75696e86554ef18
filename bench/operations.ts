/**
 * Measures the cost of limits, metrics and audit: the throughput of metadata-search with all of them, against a release
 * without them, in turn on the same machine.
 *
 *     npx tsx bench/operations.ts FORMER [N] [ROUNDS]
 *
 * FORMER is a checkout of that release in which `npm ci && npm run build` was run.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CARDINALITIES, names, writeCatalogue } from "./make-catalogue.js";
import { RemoteClient } from "./remote-client.js";
import { median, perSecond, type Row, table } from "./report.js";
import { Service } from "./service.js";

const PATH = "metadata-search/cmip6/file";
const CLIENTS = 16;
/** Requests of one round; fewer would make the result depend on other processes. */
const SIZE = 600;
const LEAST = 0.95;

const [given = "", count = "50000", times = "9"] = process.argv.slice(2);
const former = resolve(given);
const isNumber = (text: string): boolean => /^\d+$/.test(text) && Number(text) > 0;
const isBuilt = existsSync(join(former, "dist", "src", "main.js"));
if (!isBuilt || ![count, times].every(isNumber)) {
  process.stderr.write(
    "Usage: operations FORMER [N] [ROUNDS]   (FORMER: a checkout that was built)\n",
  );
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
/** Everything enabled, with limits that are never reached. */
const ALL_ON = {
  LIMIT_REQUESTS: "1000000",
  LIMIT_STREAMS: "1000",
  LIMIT_BYTES: "1000g",
  LIMIT_DECODE: "1000000",
  AUDIT: join(folder, "audit"),
};

const client = new RemoteClient();
const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** Searches with two filters, each combination once, so that Solr counts each. */
function* newSearches(): Generator<Readonly<Record<string, string>>> {
  const { experiments, variables } = CARDINALITIES;
  for (let number = 0; number < experiments * variables; number++) {
    const experiment_id = names.experiment(number % experiments);
    yield { experiment_id, variable_id: names.variable(Math.floor(number / experiments)) };
  }
}

async function rate(service: Service, queries: readonly Readonly<Record<string, string>>[]) {
  const targets = queries.map((query) => ({ url: service.url(PATH, query) }));
  const { whole } = await client.do("series", { targets, clients: CLIENTS });
  return (targets.length / whole) * 1000;
}

/** Ratios of the new release to the former one, in turn, alternating which comes first. */
async function compare(
  what: string,
  { now, before }: { readonly now: Service; readonly before: Service },
  queries: () => readonly Readonly<Record<string, string>>[],
): Promise<Row> {
  const rounds: { now: number; before: number }[] = [];
  for (let round = 0; round <= Number(times); round++) {
    const asked = queries();
    const first = round % 2 ? now : before;
    const one = await rate(first, asked);
    const other = await rate(first === now ? before : now, asked);
    // The first round is warm-up.
    if (round > 0) {
      rounds.push(first === now ? { now: one, before: other } : { now: other, before: one });
    }
  }
  const ratio = median(rounds.map((round) => round.now / round.before));
  return {
    what,
    ours: perSecond(median(rounds.map((round) => round.now))),
    solr: perSecond(median(rounds.map((round) => round.before))),
    ratio: ratio.toFixed(3),
    target: `>= ${LEAST}`,
    met: ratio >= LEAST,
  };
}

async function start(name: string, settings: Readonly<Record<string, string>>, root?: string) {
  const service = await Service.start(join(folder, name), { LOG_LEVEL: "info", ...settings }, root);
  await service.index(join(folder, "catalogue.jsonl"));
  return service;
}

try {
  await writeCatalogue(join(folder, "catalogue.jsonl"), Number(count), "lines");
  const before = await start("before", {}, former);
  const now = await start("now", ALL_ON);
  try {
    const fresh = newSearches();
    const next = () => range(SIZE / 2).flatMap(() => fresh.next().value ?? {});
    const both = { now, before };
    const rows = [
      await compare("16 clients, the same again, all facets of everything", both, () =>
        range(SIZE).map(() => ({})),
      ),
      await compare("16 clients, two filters, nothing asked twice", both, next),
    ];
    const heading = `${Number(count).toLocaleString("en")} documents; "Solr" is the former release`;
    process.stdout.write(`${heading}\n\n${table(rows)}\n`);
  } finally {
    await Promise.all([before.stop(), now.stop()]);
  }
} finally {
  client.close();
  await rm(folder, { recursive: true, force: true });
}
