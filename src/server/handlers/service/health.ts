/** The operations about the service itself: alive, ready, status and metrics. */
import { SolrTimeout } from "../../../index/errors.js";
import { NoLeader, NoSuchPath } from "../../errors.js";
import { STATUS_PAGE_POLICY, statusPage } from "../../formats/pages/status-page.js";
import { METRICS_TYPE } from "../../monitoring/metrics/metrics.js";
import { worst } from "../../monitoring/status/probe.js";
import { REPLICAS } from "../../monitoring/status/search.js";
import { NO_STORE } from "../common/caching.js";
import type { Handler } from "../services.js";

/** Answers whenever the process is alive. */
export const ping: Handler<"ping"> = async () => ({
  status: 200,
  type: "application/json",
  body: { status: "alive" },
});

/** Milliseconds. Load balancers do not wait for a probe as long as clients wait for a search. */
const READY_TIMEOUT = 4000;

/** Ready if Solr can be searched, and state and disk can be written. */
export const ready: Handler<"ready"> = async ({ caller }, { solr, storage, status }) => {
  const late = AbortSignal.timeout(READY_TIMEOUT);
  const lateness = new Promise<never>((_, reject) => {
    const say = () => reject(new SolrTimeout(`not ready within ${READY_TIMEOUT} ms`));
    late.addEventListener("abort", say, { once: true });
  });
  const checks = [solr.check(AbortSignal.any([caller.signal, late])), storage.check()];
  await Promise.race([Promise.all(checks), lateness]).catch(async (error: unknown) => {
    const shards = (await status.known()).find(({ name }) => name === REPLICAS)?.finding;
    if (shards?.state !== "failed") throw error;
    throw new NoLeader(`No leader: ${shards.detail}. ${shards.advice}`, { cause: error });
  });
  return { status: 200, type: "application/json", body: { status: "ready" } };
};

const STATUS_HEADERS = { ...NO_STORE, Vary: "Accept" };

const time = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/**
 * The status, as a page for browsers. Addresses, paths, versions, advice and what only operators need are for requests from
 * this machine only, as metrics are.
 */
export const showStatus: Handler<"showStatus"> = async ({ caller }, { status, clock }) => {
  const isDetailed = !caller.wantsPage && caller.isLocal();
  const all = await status.known();
  const known = all.filter(({ isPublic }) => isPublic);
  const shown = isDetailed ? all : known;
  const checks = shown.map(({ name, finding: { state, says, detail, advice }, since, age }) => ({
    name,
    state,
    says,
    ...(isDetailed && detail !== undefined && { detail }),
    ...(isDetailed && advice !== undefined && { advice }),
    ...(since !== undefined && { since: time(since) }),
    ...(age !== undefined && { age: Math.round(age / 100) / 10 }),
  }));
  const body = { state: worst(known.map(({ finding }) => finding.state)), checks };
  if (!caller.wantsPage)
    return { status: 200, type: "application/json", headers: STATUS_HEADERS, body };
  const headers = { ...STATUS_HEADERS, "Content-Security-Policy": STATUS_PAGE_POLICY };
  return { status: 200, type: "text/html", headers, body: statusPage(body, time(clock())) };
};

/** The metrics, for requests from this machine only; others get 404. */
export const metrics: Handler<"metrics"> = async ({ caller }, { scrape }) => {
  if (scrape === undefined || !caller.isLocal()) {
    throw new NoSuchPath("There is nothing at /metrics.");
  }
  const headers = { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store" };
  return { status: 200, type: "text/plain", headers, body: await scrape() };
};
