/** The probes of the service's parts, for `/status` and `doctor --service`. */
import { totalmem } from "node:os";
import type { KeyStore } from "../../identity/keys/keys.js";
import { askProvider } from "../../identity/outside/outside-issuer.js";
import { SolrAdmin } from "../../index/collections/admin.js";
import { inspectCollections } from "../../index/collections/collections.js";
import { COLLECTIONS, FILES } from "../../index/collections/configset.js";
import { inspectNodes, inspectReplicas, solrTime } from "../../index/collections/node-health.js";
import { MIN_FREE, type Storage } from "../../index/collections/storage-probe.js";
import { requireJava } from "../../index/embedded/java.js";
import type { Solr } from "../../index/solr.js";
import { addressesOf } from "../../index/transport/endpoint.js";
import { readManifest } from "../../platform/package-root.js";
import { certificates, type TlsEndpoint } from "../monitoring/status/certificates.js";
import { clocks, type OtherClock } from "../monitoring/status/clocks.js";
import { dataRoots, type RoomParts, room } from "../monitoring/status/disks.js";
import type { Probe } from "../monitoring/status/probe.js";
import { memory, type SearchParts, searchProbes } from "../monitoring/status/search.js";
import { address, software } from "../monitoring/status/set-up.js";
import { keys, provider } from "../monitoring/status/sign-in.js";
import type { Config } from "../settings/config.js";
import { bytesOf } from "../settings/values.js";

export interface ProbedParts {
  readonly config: ProbedConfig;
  /** Undefined if no Solr is running. */
  readonly solr: Solr | undefined;
  readonly keys: Pick<KeyStore, "inspect"> | undefined;
  /** Left out by other processes: the probe writes. */
  readonly storage?: Storage;
}
export type ProbedConfig = Pick<
  Config,
  "baseUrl" | "host" | "dataDir" | "dataRoots" | "solr" | "auth" | "readingMemory"
>;

const { engines } = readManifest();

/** All probes, in the order in which they are reported. */
export function probesOf({ config, solr, keys: kept, storage }: ProbedParts): readonly Probe[] {
  const { dataDir, auth, baseUrl, host } = config;
  const { outside } = auth;
  const ask = seldom(outside?.discoveryUrl);
  const elsewhere = outsideRoom(config, solr);
  const [place, ...places] = tlsEndpoints(config);
  return [
    ...(solr ? searchProbes(searchParts(config, solr)) : []),
    ...(storage ? [memory(() => storage.check())] : []),
    ...dataRoots(config.dataRoots),
    room({
      folder: dataDir,
      isMadeLater: config.solr.outside !== undefined,
      min: MIN_FREE,
      ...(elsewhere && { elsewhere }),
    }),
    clocks(otherClocks(config, solr, ask)),
    ...(outside ? [provider(outside.discoveryUrl, lookAtProvider(ask))] : []),
    ...(place ? [certificates([place, ...places])] : []),
    ...(kept ? [keys(() => kept.inspect())] : []),
    address(baseUrl, host),
    software(softwareParts(config)),
  ];
}

function searchParts({ solr: { outside } }: ProbedConfig, solr: Solr): SearchParts {
  const { http } = solr;
  const { endpoint, topology } = http;
  const admin = new SolrAdmin(endpoint);
  return {
    address: addressesOf(endpoint),
    embedded: outside === undefined,
    check: (signal) => solr.check(signal),
    inspect: () => inspectCollections(endpoint, [FILES]),
    ...(http.hasSeveralNodes && { nodes: (signal) => inspectNodes(endpoint, signal) }),
    ...(topology.cloud && { replicas: () => inspectReplicas(admin, COLLECTIONS) }),
  };
}

/** Free space of an outside Solr; the embedded one writes below DATA_DIR. */
function outsideRoom(config: ProbedConfig, solr: Solr | undefined): RoomParts["elsewhere"] {
  if (config.solr.outside === undefined || solr === undefined) return undefined;
  const { endpoint } = solr.http;
  return async (signal) =>
    (await inspectNodes(endpoint, signal)).flatMap(({ url, disk: left }) =>
      left ? [{ where: url.host, ...left }] : [],
    );
}

function otherClocks(
  config: ProbedConfig,
  solr: Solr | undefined,
  ask: ReturnType<typeof seldom>,
): readonly OtherClock[] {
  const clocksThere: OtherClock[] = [];
  const { outside } = config.auth;
  // The embedded one has this machine's clock.
  if (config.solr.outside !== undefined && solr !== undefined) {
    const { http } = solr;
    const now = (signal: AbortSignal) => solrTime(http, signal);
    clocksThere.push({ label: "the search backend", detail: addressesOf(http.endpoint), now });
  }
  if (outside !== undefined) {
    const { discoveryUrl } = outside;
    const now = async (signal: AbortSignal) => {
      const { date, answered } = await ask(signal);
      // `Date` has whole seconds and belongs to the time of the answer.
      return date === undefined ? undefined : Date.parse(date) + 500 + performance.now() - answered;
    };
    clocksThere.push({ label: "the identity provider", detail: new URL(discoveryUrl).host, now });
  }
  return clocksThere;
}

/** Milliseconds for which the provider's answer is cached, to limit requests to a foreign server. */
const PROVIDER_TTL = 25_000;

/** Fetches the provider's metadata, cached for PROVIDER_TTL and shared by the probes. */
function seldom(discoveryUrl = "") {
  let last: Promise<Awaited<ReturnType<typeof askProvider>> & { answered: number }> | undefined;
  let begun = Number.NEGATIVE_INFINITY;
  return (signal: AbortSignal) => {
    if (last !== undefined && performance.now() - begun < PROVIDER_TTL) return last;
    begun = performance.now();
    last = askProvider(discoveryUrl, signal).then((answer) => ({
      ...answer,
      answered: performance.now(),
    }));
    // A failure is not cached.
    last.catch(() => {
      last = undefined;
    });
    return last;
  };
}

const lookAtProvider = (ask: ReturnType<typeof seldom>) => async (signal: AbortSignal) => {
  const { described, keys: set } = await ask(signal);
  return { issuer: described.issuer, keys: set.keys.length };
};

function tlsEndpoints({ baseUrl, solr, auth }: ProbedConfig): readonly TlsEndpoint[] {
  const own = baseUrl === undefined ? [] : [{ label: "this service", url: new URL(baseUrl) }];
  const backend = (solr.outside?.urls ?? []).map((url) => ({ label: "the search backend", url }));
  const { outside } = auth;
  const identity = outside
    ? [{ label: "the identity provider", url: new URL(outside.discoveryUrl) }]
    : [];
  return [...own, ...backend, ...identity].filter(({ url }) => url.protocol === "https:");
}

/** Memory of an idle Node process, in bytes. */
const AT_REST = 200 * 1024 * 1024;

function softwareParts({ solr, readingMemory }: ProbedConfig) {
  const isEmbedded = solr.outside === undefined;
  const wanted = readingMemory + AT_REST + (isEmbedded ? bytesOf(solr.heap) : 0);
  return {
    minNode: engines.node.replace(/^\D+/, ""),
    memory: { wanted, there: totalmem() },
    ...(isEmbedded && { requireJava }),
  };
}
