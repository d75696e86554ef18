/** Metrics that the parts of the service count themselves, read at each scrape. */
import { Counter, Histogram, type Registry } from "prom-client";
import type { PoolUsage } from "../../../files/zarr/worker/pool.js";
import type { SolrCall } from "../../../index/transport/call-observer.js";
import type { SemaphoreUsage } from "../../../platform/concurrency/fair-semaphore.js";
import { readCounter, readGauge } from "./read-figures.js";

export interface ServiceCounters {
  /** Called once; the listener then receives each request to Solr. */
  onSolrCall(listener: (call: SolrCall) => void): void;
  /** Shards to which nothing can be written; none can be if it is left out. */
  readonly leaderless?: () => Promise<number>;
  readonly caches: () => Readonly<
    Record<string, { readonly hits: number; readonly misses: number }>
  >;
  readonly admission: () => Readonly<Record<string, SemaphoreUsage>>;
  readonly reading: () => PoolUsage;
  readonly audit?: () => { readonly lost: number; readonly failures: number };
}

/** All kinds of calls, so that each series starts at 0. */
const SOLR_WORK: readonly SolrCall["what"][] = ["search", "list", "update", "state", "other"];
const SOLR_FAILURES: readonly NonNullable<SolrCall["failure"]>[] = [
  "unavailable",
  "timeout",
  "refused",
];

/** Seconds. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30];

export function measureServices(registry: Registry, counters: ServiceCounters): void {
  measureSolr(registry, counters);
  measureCaches(registry, counters);
  measureAdmission(registry, counters);
  measureReading(registry, counters);
  measureAudit(registry, counters);
}

function measureAudit(registry: Registry, { audit }: ServiceCounters): void {
  if (audit === undefined) return;
  readCounter(registry, {
    name: "climate_audit_lost_total",
    help: "Lines of the audit and the statistics that could not be kept",
    read: () => audit().lost,
  });
  readCounter(registry, {
    name: "climate_audit_failures_total",
    help: "Writes of the audit and the statistics that failed; what they had waits",
    read: () => audit().failures,
  });
}

function measureSolr(
  registry: Registry,
  { onSolrCall, leaderless = async () => 0 }: ServiceCounters,
): void {
  const durations = new Histogram({
    name: "climate_solr_request_duration_seconds",
    help: "Until Solr has answered; of a list, until it has begun to",
    labelNames: ["what"],
    buckets: BOUNDS,
    registers: [registry],
  });
  const errors = new Counter({
    name: "climate_solr_errors_total",
    help: "Requests that Solr did not answer, or answered by an error",
    labelNames: ["what", "cause"],
    registers: [registry],
  });
  for (const what of SOLR_WORK) {
    durations.zero({ what });
    for (const cause of SOLR_FAILURES) errors.inc({ what, cause }, 0);
  }
  onSolrCall(({ what, seconds, failure }) => {
    if (seconds !== undefined) durations.observe({ what }, seconds);
    if (failure !== undefined) errors.inc({ what, cause: failure });
  });
  readGauge(registry, {
    name: "climate_solr_shards_without_leader",
    help: "Shards of the index to which nothing can be written",
    // Without an answer of Solr there is no number; its requests that fail are counted.
    read: () => leaderless().catch(() => []),
    aggregator: "max",
  });
}

function measureCaches(registry: Registry, { caches }: ServiceCounters): void {
  new Counter({
    name: "climate_cache_requests_total",
    help: "Lookups in caches, by whether the cache had the entry",
    labelNames: ["cache", "result"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cache, { hits, misses }] of Object.entries(caches())) {
        this.inc({ cache, result: "hit" }, hits);
        this.inc({ cache, result: "miss" }, misses);
      }
    },
  });
}

/** One number of each of several items, by name. */
const ofEach = <T>(
  items: Iterable<readonly [name: string, item: T]>,
  figure: (item: T) => number,
): (readonly [string, number])[] => [...items].map(([name, item]) => [name, figure(item)]);

function measureAdmission(registry: Registry, { admission }: ServiceCounters): void {
  const label = "work";
  const read = (figure: keyof SemaphoreUsage) => () =>
    ofEach(Object.entries(admission()), (usage) => usage[figure]);
  readGauge(registry, {
    name: "climate_turns_taken",
    help: "Places for work of Solr that are taken",
    label,
    read: read("taken"),
  });
  readGauge(registry, {
    name: "climate_turns_waiting",
    help: "Requests that wait for a place",
    label,
    read: read("waiting"),
  });
  readCounter(registry, {
    name: "climate_turns_refused_total",
    help: "Requests for which no place came free in time, or that too many others waited before",
    label,
    read: read("refused"),
  });
}

function measureReading(registry: Registry, { reading }: ServiceCounters): void {
  readGauge(registry, {
    name: "climate_reading_waiting",
    help: "Orders that wait for a process that reads files",
    read: () => reading().waiting,
  });
  readGauge(registry, {
    name: "climate_reading_processes",
    help: "Processes that read files",
    label: "state",
    read: () => {
      const { processes, busy } = reading();
      return Object.entries({ busy, idle: processes - busy });
    },
  });
  readCounter(registry, {
    name: "climate_reading_processes_lost_total",
    help: "Processes that ended while they read a file, or took too long or too much memory",
    read: () => reading().lost,
  });
  readCounter(registry, {
    name: "climate_reading_orders_total",
    help: "Reads of files, by their kind: index (a file is opened), table (where the chunks of an array lie), render (a chunk is decoded), ...",
    label: "kind",
    read: () => ofEach(reading().orders, ({ count }) => count),
  });
  readCounter(registry, {
    name: "climate_reading_seconds_total",
    help: "Seconds that processes were busy with it; render is decoding",
    label: "kind",
    read: () => ofEach(reading().orders, ({ seconds }) => seconds),
  });
}
