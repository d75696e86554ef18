/** Probes the set-up of the service for the operator: programs, memory and address. */
import { isIPv4 } from "node:net";
import { type Finding, type Probe, reasonOf, together } from "./probe.js";

interface SoftwareParts {
  /** The oldest supported Node, such as `20.15.0`. */
  readonly minNode: string;
  /** Throws a UserError if the embedded Solr's Java is missing or too old; left out with an outside Solr. */
  requireJava?(): Promise<void>;
  /** Bytes that the processes of the service may take, and bytes of the machine. */
  readonly memory: { readonly wanted: number; readonly there: number };
}

const numbers = (version: string): number[] => version.replace(/^v/, "").split(".").map(Number);

function isOlder(version: string, min: string): boolean {
  const [have, need] = [numbers(version), numbers(min)];
  const at = need.findIndex((number, i) => number !== have[i]);
  return at >= 0 && (have[at] ?? 0) < (need[at] ?? 0);
}

const MB = 1e6;

export function software({ minNode, requireJava, memory }: SoftwareParts): Probe {
  return {
    name: "software",
    isPublic: false,
    ttl: 60_000,
    timeout: 10_000,
    late: { state: "unknown", says: "Java could not be asked for its version." },
    inspect: async () => {
      const node: Finding = isOlder(process.version, minNode)
        ? {
            state: "failed",
            says: "This Node is too old.",
            detail: `Node ${process.version}`,
            advice: `Install Node ${minNode} or newer.`,
          }
        : { state: "ok", says: "The programs are as needed.", detail: `Node ${process.version}` };
      const java = (await requireJava?.().then(
        (): Finding => ({ state: "ok", says: node.says, detail: "Java 17 or newer" }),
        (error: unknown): Finding => ({
          state: "failed",
          says: "Java cannot be used.",
          detail: reasonOf(error),
        }),
      )) ?? { state: "ok", says: node.says };
      const { wanted, there } = memory;
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
