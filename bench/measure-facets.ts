/** Measures facet counts: metadata-search against the same request to Solr. */
import type { Target } from "./client.js";
import { CARDINALITIES, names } from "./make-catalogue.js";
import type { RemoteClient } from "./remote-client.js";
import { median, milliseconds, perSecond, type Row } from "./report.js";
import type { Service } from "./service.js";

const PATH = "metadata-search/cmip6/file";
type Query = Readonly<Record<string, string>>;

/** The same search on the service and on Solr. */
class Pair {
  constructor(
    private readonly service: Service,
    private readonly client: RemoteClient,
  ) {}

  ours(query: Query): Target {
    return { url: this.service.url(PATH, query) };
  }

  solr(query: Query): Promise<Target> {
    return this.service.solr.facetRequest(query);
  }

  /** Times of one client that asks both in turn, and alternates which comes first. */
  async inTurn(ours: readonly Target[], solr: readonly Target[]) {
    const targets = ours.flatMap((mine, i) => {
      const both = [mine, solr[i] as Target];
      return i % 2 ? both.reverse() : both;
    });
    const { each } = await this.client.do("series", { targets, clients: 1 });
    const own = each.filter((_, i) => i % 2 === (Math.floor(i / 2) % 2 ? 1 : 0));
    const raw = each.filter((_, i) => i % 2 === (Math.floor(i / 2) % 2 ? 0 : 1));
    return { ours: median(own), solr: median(raw) };
  }
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/**
 * One client without repeated searches: the time that the service adds to Solr's. Each search has its own value, and
 * searches go alternately to the service and to Solr.
 */
async function added(pair: Pair, what: string, key: string): Promise<Row> {
  const values = range(CARDINALITIES.variables).map((i) => ({ [key]: names.variable(i) }));
  const ours = values.filter((_, i) => i % 2 === 0).map((query) => pair.ours(query));
  const solr = await Promise.all(
    values.filter((_, i) => i % 2 === 1).map((query) => pair.solr(query)),
  );
  const time = await pair.inTurn(ours, solr);
  const more = time.ours - time.solr;
  return {
    what,
    ours: milliseconds(time.ours),
    solr: milliseconds(time.solr),
    ratio: `${(time.ours / time.solr).toFixed(2)}, +${more.toFixed(2)} ms`,
    target: "<= +1.5 ms or 1.20",
    met: more <= Math.max(1.5, 0.2 * time.solr),
  };
}

/** Sixteen clients, two filters, each combination once. */
async function throughput(pair: Pair, client: RemoteClient, rounds: number): Promise<Row> {
  const { experiments, variables } = CARDINALITIES;
  const size = Math.floor((experiments * variables) / (2 * rounds + 2));
  let next = 0;
  const fresh = (): Query[] =>
    range(size).map(() => {
      const number = next++;
      const experiment_id = names.experiment(number % experiments);
      return { experiment_id, variable_id: names.variable(Math.floor(number / experiments)) };
    });
  const rate = async (targets: readonly Target[]): Promise<number> => {
    const { whole } = await client.do("series", { targets, clients: 16 });
    return (targets.length / whole) * 1000;
  };
  const rates: { ours: number; solr: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const ours = await rate(fresh().map((query) => pair.ours(query)));
    const solr = await rate(await Promise.all(fresh().map((query) => pair.solr(query))));
    // The first round is warm-up.
    if (round > 0) rates.push({ ours, solr });
  }
  const ratio = median(rates.map((one) => one.ours / one.solr));
  return {
    what: "16 clients, two filters, nothing asked twice",
    ours: perSecond(median(rates.map((one) => one.ours))),
    solr: perSecond(median(rates.map((one) => one.solr))),
    ratio: ratio.toFixed(2),
    target: ">= 0.40",
    met: ratio >= 0.4,
  };
}

/** The same search again on an unchanged index; without an entity tag Solr counts again. */
async function repeated(pair: Pair, etag: string): Promise<Row[]> {
  const solr = await pair.solr({});
  const row = async (what: string, ours: Target): Promise<Row> => {
    const count = range(100);
    const time = await pair.inTurn(
      count.map(() => ours),
      count.map(() => solr),
    );
    const times = time.solr / time.ours;
    return {
      what,
      ours: milliseconds(time.ours),
      solr: milliseconds(time.solr),
      ratio: `${times.toFixed(1)} times as fast`,
      target: ">= 5 times",
      met: times >= 5,
    };
  };
  const ours = pair.ours({});
  return [
    await row("the same again, all facets of everything", ours),
    await row("the same again, with If-None-Match: 304", {
      ...ours,
      headers: { "If-None-Match": etag },
    }),
  ];
}

interface Answer {
  readonly total: number;
  readonly etag: string;
}

async function ask({ url, headers }: Target): Promise<Answer> {
  const response = await fetch(url, { headers: { ...headers } });
  const { total_count } = (await response.json()) as { total_count: number };
  return { total: total_count, etag: response.headers.get("etag") ?? "" };
}

/** Adds and removes a document: each answer after a commit must show the change. */
async function freshness({ solr }: Service, pair: Pair, rounds: number): Promise<Row> {
  const all = pair.ours({});
  let stale = 0;
  const file = "/bench/added.nc";
  for (let round = 0; round < rounds; round++) {
    const before = await ask(all);
    await solr.update("files", { add: { doc: { file, project: ["CMIP6"], latest: true } } });
    const added = await ask(all);
    await solr.update("files", { delete: [file] });
    const removed = await ask(all);
    if (added.total !== before.total + 1 || added.etag === before.etag) stale += 1;
    if (removed.total !== before.total || removed.etag !== before.etag) stale += 1;
  }
  return {
    what: `stale answers after ${2 * rounds} commits`,
    ours: String(stale),
    solr: "",
    ratio: "",
    target: "0",
    met: stale === 0,
  };
}

export async function measureFacets(
  service: Service,
  client: RemoteClient,
  rounds: number,
): Promise<Row[]> {
  const pair = new Pair(service, client);
  // Searches by models are warm-up, searches by variables are measured.
  const warm = range(CARDINALITIES.models).map((i) => ({ source_id: names.model(i) }));
  const other = warm.map(({ source_id }) => ({ source_id_not_: source_id }));
  for (const queries of [warm, other]) {
    const targets = queries.map((query) => pair.ours(query));
    const raw = await Promise.all(queries.map((query) => pair.solr(query)));
    await pair.inTurn(targets, raw);
  }
  const { etag } = await ask(pair.ours({}));
  return [
    await added(pair, "all facets of one variable, one client", "variable_id"),
    await added(pair, "all facets of all but one variable, one client", "variable_id_not_"),
    await throughput(pair, client, rounds),
    ...(await repeated(pair, etag)),
    await freshness(service, pair, rounds),
  ];
}
