/** Probes Solr and its contents. */
import { SolrAdmin } from "../../../index/collections/admin.js";
import { inspectCollections } from "../../../index/collections/collections.js";
import { COLLECTIONS, FILES } from "../../../index/collections/configset.js";
import { inspectNodes, inspectReplicas } from "../../../index/collections/node-health.js";
import type { Storage } from "../../../index/collections/storage-probe.js";
import type { Solr } from "../../../index/solr.js";
import { addressesOf, type SolrEndpoint } from "../../../index/transport/endpoint.js";
import { UserError } from "../../../platform/errors.js";
import { type Finding, type Probe, reasonOf } from "./probe.js";

const AGAIN =
  "Look at Solr's log, its memory and its disk; the embedded one (solr/logs in DATA_DIR) is started again by itself.";

function search(solr: Solr, isEmbedded: boolean): Probe {
  const detail = `${isEmbedded ? "the embedded Solr" : "Solr"} at ${addressesOf(solr.http.endpoint)}`;
  const about = { detail, advice: AGAIN };
  return {
    name: "search",
    isPublic: true,
    ttl: 2000,
    timeout: 2000,
    late: { state: "failed", says: "The search backend does not answer.", ...about },
    inspect: async (signal) => {
      const begin = performance.now();
      try {
        const entries = await solr.check(signal);
        const milliseconds = Math.round(performance.now() - begin);
        const many = entries === 1 ? "1 entry" : `${entries.toLocaleString("en")} entries`;
        return { state: "ok", says: `${many} can be searched, within ${milliseconds} ms.`, detail };
      } catch (error) {
        const says = "The index cannot be searched.";
        return { state: "failed", says, ...about, detail: `${detail}: ${reasonOf(error)}` };
      }
    },
  };
}

/** Probes whether the index is of this release. */
function generation(endpoint: SolrEndpoint): Probe {
  return {
    name: "index",
    isPublic: true,
    ttl: 60_000,
    timeout: 5000,
    late: { state: "unknown", says: "Whether the index is of this release is not known." },
    inspect: async () => {
      try {
        await inspectCollections(endpoint, [FILES]);
        return { state: "ok", says: "The index is of this release." };
      } catch (error) {
        // The probe `search` reports a Solr that does not answer.
        if (!(error instanceof UserError)) throw error;
        const says = "The index is not what this release needs.";
        const advice = "Run the command that the message names.";
        return { state: "failed", says, detail: error.message, advice };
      }
    },
  };
}

function nodes(endpoint: SolrEndpoint): Probe {
  return {
    name: "search-nodes",
    isPublic: true,
    ttl: 5000,
    timeout: 4000,
    late: { state: "unknown", says: "The nodes of the search backend could not all be asked." },
    inspect: async (signal) => {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(2000)]);
      const nodes = await inspectNodes(endpoint, soon);
      const down = nodes.filter(({ answers }) => !answers);
      if (down.length === 0)
        return { state: "ok", says: `All ${nodes.length} nodes of the search backend answer.` };
      const isAll = down.length === nodes.length;
      return {
        state: isAll ? "failed" : "warning",
        says: isAll
          ? "No node of the search backend answers."
          : `${down.length} of ${nodes.length} nodes of the search backend do not answer.`,
        detail: down.map(({ url }) => url.href).join(", "),
        advice: AGAIN,
      };
    },
  };
}

/** The probe that fails if shards have no leader. */
export const REPLICAS = "search-replicas";

function replicas(endpoint: SolrEndpoint): Probe {
  return {
    name: REPLICAS,
    isPublic: true,
    ttl: 30_000,
    timeout: 5000,
    late: { state: "unknown", says: "The copies of the index could not be asked for." },
    inspect: async () => {
      const { all, down, leaderless } = await inspectReplicas(new SolrAdmin(endpoint), COLLECTIONS);
      if (leaderless.length > 0) return withoutLeader(leaderless);
      if (down.length === 0)
        return { state: "ok", says: `All ${all} copies of the index are whole.` };
      return {
        state: "warning",
        says: `${down.length} of ${all} copies of the parts of the index are not there.`,
        detail: down.join(", "),
        advice: "Start their nodes. If a replica stays in recovery, the log of its node says why.",
      };
    },
  };
}

/** The finding for shards without a leader. Solr waits up to three minutes for the replica that has all acknowledged writes. */
function withoutLeader(shards: readonly string[]): Finding {
  const [[collection, shard] = []] = shards.map((name) => name.split(" "));
  return {
    state: "failed",
    says: `Nothing can be written to ${shards.length === 1 ? "one part" : `${shards.length} parts`} of the index, which have no leader.`,
    detail: shards.join(", "),
    advice:
      "Start the nodes that are down: the replica with the newest writes becomes the leader. Only if that replica is lost for " +
      "good, and after three minutes, take another, which loses the writes that it does not have: " +
      `curl "$SOLR_URL/admin/collections?action=FORCELEADER&collection=${collection}&shard=${shard}"`,
  };
}

/** @param isEmbedded whether this service runs Solr */
export function searchProbes(solr: Solr, isEmbedded: boolean): readonly Probe[] {
  const { endpoint, hasSeveralNodes, topology } = solr.http;
  return [
    search(solr, isEmbedded),
    generation(endpoint),
    ...(hasSeveralNodes ? [nodes(endpoint)] : []),
    ...(topology.cloud ? [replicas(endpoint)] : []),
  ];
}

/** Probes the state store. */
export function memory(storage: Storage): Probe {
  const advice =
    "Look at the disk below DATA_DIR and at that of Solr's collection state: full, read-only, or not answering.";
  return {
    name: "memory",
    isPublic: true,
    ttl: 3000,
    timeout: 2500,
    late: {
      state: "failed",
      says: "The service cannot store its data in time.",
      advice,
    },
    inspect: async () => {
      try {
        await storage.check();
        return { state: "ok", says: "Sign-ins, shares and user data can be kept." };
      } catch (error) {
        const says = "The service cannot store its data: sign-ins and shares fail.";
        return { state: "failed", says, detail: reasonOf(error), advice };
      }
    },
  };
}
