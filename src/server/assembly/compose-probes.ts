/** The probes of the service's parts, for `/status`. */
import { totalmem } from "node:os";
import type { KeyStore } from "../../identity/keys/keys.js";
import { askProvider } from "../../identity/outside/outside-issuer.js";
import { SolrAdmin } from "../../index/collections/admin.js";
import { inspectCollections } from "../../index/collections/collections.js";
import { COLLECTIONS, FILES } from "../../index/collections/configset.js";
import { inspectNodes, inspectReplicas } from "../../index/collections/node-health.js";
import { MIN_FREE, type Storage } from "../../index/collections/storage-probe.js";
import { requireJava } from "../../index/embedded/java.js";
import type { Solr } from "../../index/solr.js";
import { addressesOf } from "../../index/transport/endpoint.js";
import { readManifest } from "../../platform/package-root.js";
import { dataRoots, type RoomParts, room } from "../monitoring/status/disks.js";
import type { Probe } from "../monitoring/status/probe.js";
import { memory, type SearchParts, searchProbes } from "../monitoring/status/search.js";
import { address, software } from "../monitoring/status/set-up.js";
import { keys, provider } from "../monitoring/status/sign-in.js";
import type { Config } from "../settings/config.js";
import { bytesOf } from "../settings/values.js";

interface ProbedParts {
  readonly config: ProbedConfig;
  readonly solr: Solr;
  readonly keys: Pick<KeyStore, "inspect">;
  readonly storage: Storage;
}
type ProbedConfig = Pick<
  Config,
  "baseUrl" | "host" | "dataDir" | "dataRoots" | "solr" | "auth" | "readingMemory"
>;

const { engines } = readManifest();

/** All probes, in the order in which they are reported. */
export function probesOf({ config, solr, keys: kept, storage }: ProbedParts): readonly Probe[] {
  const { dataDir, auth, baseUrl, host } = config;
  const { outside } = auth;
  const elsewhere = outsideRoom(config, solr);
  return [
    ...searchProbes(searchParts(config, solr)),
    memory(() => storage.check()),
    ...dataRoots(config.dataRoots),
    room({
      folder: dataDir,
      isMadeLater: config.solr.outside !== undefined,
      min: MIN_FREE,
      ...(elsewhere && { elsewhere }),
    }),
    ...(outside ? [provider(outside.discoveryUrl, inspectProvider(outside.discoveryUrl))] : []),
    keys(() => kept.inspect()),
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
function outsideRoom(config: ProbedConfig, solr: Solr): RoomParts["elsewhere"] {
  if (config.solr.outside === undefined) return undefined;
  const { endpoint } = solr.http;
  return async (signal) =>
    (await inspectNodes(endpoint, signal)).flatMap(({ url, disk: left }) =>
      left ? [{ where: url.host, ...left }] : [],
    );
}

const inspectProvider = (discoveryUrl: string) => async (signal: AbortSignal) => {
  const { described, keys: set } = await askProvider(discoveryUrl, signal);
  return { issuer: described.issuer, keys: set.keys.length };
};

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
