/** Metrics that the parts of the service count themselves, read at each scrape. */
import { Counter, Histogram, type Registry } from "prom-client";
import type { Datasets } from "../../../files/zarr/dataset/datasets.js";
import { SolrAdmin } from "../../../index/collections/admin.js";
import { COLLECTIONS } from "../../../index/collections/configset.js";
import { inspectReplicas, type Replicas } from "../../../index/collections/node-health.js";
import type { Solr } from "../../../index/solr.js";
import type { SolrCall } from "../../../index/transport/call-observer.js";
import type { SemaphoreUsage } from "../../../platform/concurrency/fair-semaphore.js";
import { inTime } from "../../../platform/concurrency/in-time.js";
import { SingleFlight } from "../../../platform/concurrency/single-flight.js";
import type { Audit } from "../../audit/audit.js";
import { readCounter, readGauge } from "./read-figures.js";

export interface MeasuredParts {
  readonly solr: Solr;
  readonly datasets: Datasets;
  readonly audit: Audit | undefined;
}

/** All kinds of calls, so that each series starts at 0. */
const SOLR_WORK: readonly SolrCall["what"][] = ["search", "list", "update", "state", "other"];
const SOLR_FAILURES: readonly NonNullable<SolrCall["failure"]>[] = [
  "unavailable",
  "timeout",
  "refused",
];

/** Milliseconds that metrics wait for SolrCloud's answer: they are needed most where Solr hangs. */
const LOOK_MS = 2000;
/** Seconds. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30];

export function measureServices(
  registry: Registry,
  { solr, datasets, audit }: MeasuredParts,
): void {
  measureSolr(registry, solr);
  measureCaches(registry, solr, datasets);
  measureAdmission(registry, solr);
  measureReading(registry, datasets);
  if (audit !== undefined) measureAudit(registry, audit);
}

function measureAudit(registry: Registry, audit: Audit): void {
  readCounter(registry, {
    name: "climate_audit_lost_total",
    help: "Lines of the audit and the statistics that could not be kept",
    read: () => audit.state.lost,
  });
  readCounter(registry, {
    name: "climate_audit_failures_total",
    help: "Writes of the audit and the statistics that failed; what they had waits",
    read: () => audit.state.failures,
  });
}

function measureSolr(registry: Registry, { http }: Solr): void {
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
  http.onCall = ({ what, seconds, failure }) => {
    if (seconds !== undefined) durations.observe({ what }, seconds);
    if (failure !== undefined) errors.inc({ what, cause: failure });
  };
  const admin = new SolrAdmin(http.endpoint);
  const looks = new SingleFlight<Replicas>();
  readGauge(registry, {
    name: "climate_solr_shards_without_leader",
    help: "Shards of the index to which nothing can be written",
    // Without an answer of Solr there is no number; its requests that fail are counted.
    read: () => {
      if (!http.topology.cloud) return 0;
      const looking = looks.join(() => inspectReplicas(admin, COLLECTIONS));
      const count = looking.then(({ leaderless }) => leaderless.length);
      return inTime(count, LOOK_MS, () => []).catch(() => []);
    },
    aggregator: "max",
  });
}

function measureCaches(registry: Registry, solr: Solr, datasets: Datasets): void {
  const caches = () => ({
    "facet-counts": solr.usage.facetCounts,
    pages: solr.usage.pages,
    breakdowns: solr.usage.breakdowns,
    groups: solr.usage.groups,
    datasets: solr.usage.datasets,
    files: datasets.lookups.files,
    "rendered-chunks": datasets.lookups.rendered,
  });
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

function measureAdmission(registry: Registry, solr: Solr): void {
  const label = "work";
  const read = (figure: keyof SemaphoreUsage) => () =>
    ofEach(Object.entries(solr.usage.admission), (usage) => usage[figure]);
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

function measureReading(registry: Registry, datasets: Datasets): void {
  readGauge(registry, {
    name: "climate_reading_waiting",
    help: "Orders that wait for a process that reads files",
    read: () => datasets.reading.waiting,
  });
  readGauge(registry, {
    name: "climate_reading_processes",
    help: "Processes that read files",
    label: "state",
    read: () => {
      const { processes, busy } = datasets.reading;
      return Object.entries({ busy, idle: processes - busy });
    },
  });
  readCounter(registry, {
    name: "climate_reading_processes_lost_total",
    help: "Processes that ended while they read a file, or took too long or too much memory",
    read: () => datasets.reading.lost,
  });
  readCounter(registry, {
    name: "climate_reading_orders_total",
    help: "Reads of files, by their kind: index (a file is opened), table (where the chunks of an array lie), render (a chunk is decoded), ...",
    label: "kind",
    read: () => ofEach(datasets.reading.orders, ({ count }) => count),
  });
  readCounter(registry, {
    name: "climate_reading_seconds_total",
    help: "Seconds that processes were busy with it; render is decoding",
    label: "kind",
    read: () => ofEach(datasets.reading.orders, ({ seconds }) => seconds),
  });
}
