/** Probes the TLS certificates, so that an expiry is reported in time. */
import { isIP } from "node:net";
import { connect, type PeerCertificate } from "node:tls";
import { type Finding, type Probe, reasonOf, together } from "./probe.js";

/** Days before the expiry from which the state is a warning. */
const SOON = 21;
const DAY = 24 * 3600 * 1000;

export interface TlsEndpoint {
  /** Name in public sentences. */
  readonly label: string;
  readonly url: URL;
}

const ADVICE = "Renew it, and reload the server that presents it (docs/deployment.md, Keys).";

/** Probes the certificates of these addresses. */
export function certificates(
  places: readonly [TlsEndpoint, ...TlsEndpoint[]],
  clock: () => number = Date.now,
): Probe {
  return {
    name: "certificates",
    isPublic: true,
    ttl: 10 * 60_000,
    timeout: 6000,
    late: { state: "unknown", says: "The certificates could not be looked at." },
    inspect: async (signal) => {
      const [first, ...others] = places;
      const look = (place: TlsEndpoint) => finding(place, signal, clock());
      const [one, ...rest] = await Promise.all([look(first), ...others.map(look)]);
      return together([one, ...rest]);
    },
  };
}

async function finding(
  { label, url }: TlsEndpoint,
  signal: AbortSignal,
  now: number,
): Promise<Finding> {
  let found: { readonly certificate: PeerCertificate; readonly problem: string | undefined };
  try {
    found = await certificateOf(url, AbortSignal.any([signal, AbortSignal.timeout(5000)]));
  } catch (error) {
    // Many machines cannot reach their own public address, so this is no failure.
    const says = `The certificate of ${label} could not be looked at.`;
    return { state: "unknown", says, detail: `${url.host}: ${reasonOf(error)}` };
  }
  const { certificate, problem } = found;
  const end = Date.parse(certificate.valid_to);
  const days = Math.floor((end - now) / DAY);
  const detail = `${url.host}: until ${new Date(end).toISOString().slice(0, 10)}`;
  const about = { advice: ADVICE, detail: problem ? `${detail} (${problem})` : detail };
  if (end <= now) {
    return { state: "failed", says: `The certificate of ${label} has ended.`, ...about };
  }
  if (problem !== undefined) {
    return { state: "failed", says: `The certificate of ${label} is not trusted here.`, ...about };
  }
  if (days < SOON) {
    const left = days === 1 ? "1 day" : `${days} days`;
    return { state: "warning", says: `The certificate of ${label} ends in ${left}.`, ...about };
  }
  return { state: "ok", says: "The certificates are valid.", detail };
}

/** The certificate of a server, trusted or not. */
function certificateOf(url: URL, signal: AbortSignal) {
  return new Promise<{ certificate: PeerCertificate; problem: string | undefined }>(
    (resolve, reject) => {
      const host = url.hostname.replace(/^\[|\]$/g, "");
      const socket = connect({
        host,
        port: Number(url.port || 443),
        // IP addresses are not allowed as server names (RFC 6066, 3).
        ...(isIP(host) === 0 && { servername: host }),
        // The certificate is only inspected; no data are sent.
        rejectUnauthorized: false,
      });
      const giveUp = (): void => {
        socket.destroy(new Error("it does not answer"));
      };
      signal.addEventListener("abort", giveUp, { once: true });
      socket.once("error", reject).once("secureConnect", () => {
        const certificate = socket.getPeerCertificate();
        const problem = socket.authorized ? undefined : String(socket.authorizationError);
        signal.removeEventListener("abort", giveUp);
        socket.destroy();
        resolve({ certificate, problem });
      });
    },
  );
}
