/** Probes the set-up of the service for the operator: programs, memory and address. */
import { isIPv4 } from "node:net";
import { totalmem } from "node:os";
import { requireJava } from "../../../index/embedded/java.js";
import { readManifest } from "../../../platform/package-root.js";
import type { Config } from "../../settings/config.js";
import { bytesOf } from "../../settings/values.js";
import { type Finding, type Probe, reasonOf, together } from "./probe.js";

/** The oldest supported Node, such as `20.15.0`. */
const MIN_NODE = readManifest().engines.node.replace(/^\D+/, "");
/** Memory of an idle Node process, in bytes. */
const AT_REST = 200 * 1024 * 1024;

const numbers = (version: string): number[] => version.replace(/^v/, "").split(".").map(Number);

function isOlder(version: string, min: string): boolean {
  const [have, need] = [numbers(version), numbers(min)];
  const at = need.findIndex((number, i) => number !== have[i]);
  return at >= 0 && (have[at] ?? 0) < (need[at] ?? 0);
}

const MB = 1e6;

/** Probes the programs, and whether the processes of the service may take more memory than the machine has. */
export function software({ solr, readingMemory }: Pick<Config, "solr" | "readingMemory">): Probe {
  const isEmbedded = solr.outside === undefined;
  const wanted = readingMemory + AT_REST + (isEmbedded ? bytesOf(solr.heap) : 0);
  const there = totalmem();
  return {
    name: "software",
    isPublic: false,
    ttl: 60_000,
    timeout: 10_000,
    late: { state: "unknown", says: "Java could not be asked for its version." },
    inspect: async () => {
      const node: Finding = isOlder(process.version, MIN_NODE)
        ? {
            state: "failed",
            says: "This Node is too old.",
            detail: `Node ${process.version}`,
            advice: `Install Node ${MIN_NODE} or newer.`,
          }
        : { state: "ok", says: "The programs are as needed.", detail: `Node ${process.version}` };
      const java: Finding = isEmbedded
        ? await javaFinding(node.says)
        : { state: "ok", says: node.says };
      const detail = `${Math.round(wanted / MB)} of ${Math.round(there / MB)} MB of memory may be used`;
      const room: Finding =
        wanted > there
          ? {
              state: "warning",
              says: "More memory may be used than there is.",
              detail,
              advice: "Lower SOLR_HEAP or READING_MEMORY.",
            }
          : { state: "ok", says: node.says, detail };
      return together([node, java, room]);
    },
  };
}

const javaFinding = (says: string): Promise<Finding> =>
  requireJava().then(
    () => ({ state: "ok", says, detail: "Java 17 or newer" }),
    (error) => ({ state: "failed", says: "Java cannot be used.", detail: reasonOf(error) }),
  );

const isThisMachine = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));

/** Probes the public address, which is also the issuer of tokens. */
export function address(baseUrl: string | undefined, host: string): Probe {
  const look = (): Finding => {
    if (baseUrl === undefined) {
      const detail = "BASE_URL is not set: links and the issuer of tokens follow from the request";
      if (isThisMachine(host)) {
        return { state: "ok", says: "The service is for this machine.", detail };
      }
      const advice = "Set BASE_URL to the public address.";
      return { state: "warning", says: "The public address is not set.", detail, advice };
    }
    const { protocol, hostname } = new URL(baseUrl);
    if (protocol === "https:" || isThisMachine(hostname)) {
      return { state: "ok", says: "The public address is set.", detail: baseUrl };
    }
    const says = "The public address is one of http: passwords and tokens go in clear.";
    const advice = "Put a proxy with TLS before the service, and set BASE_URL to https://...";
    return { state: "warning", says, detail: baseUrl, advice };
  };
  return {
    name: "address",
    isPublic: false,
    ttl: 60_000,
    timeout: 1000,
    late: { state: "unknown", says: "" },
    inspect: async () => look(),
  };
}
