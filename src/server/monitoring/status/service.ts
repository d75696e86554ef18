/** Probes a running service over HTTP. */
import { type Finding, type Probe, reasonOf } from "./probe.js";

const START =
  "Start it, or name where it is with --host; look at its log (`journalctl -u climate-nextgen`).";
const ADVICE = "See the other findings, and the log of the service.";

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function ask(address: string, signal: AbortSignal): Promise<Answer> {
  const headers = { Accept: "application/json" };
  const response = await fetch(address, { headers, redirect: "error", signal });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) as unknown };
}

interface ServiceReport {
  readonly checks?: readonly { readonly state?: string; readonly says?: string }[];
}

/** Probes whether the service answers, is ready, and reports a good status. @param api the address of its API */
export function serviceProbes(api: string): readonly Probe[] {
  const silent: Finding = {
    state: "failed",
    says: "The service does not answer.",
    detail: api,
    advice: START,
  };
  const ping: Probe = {
    name: "service",
    isPublic: false,
    ttl: 0,
    timeout: 5000,
    late: silent,
    inspect: async (signal) => {
      try {
        const { status } = await ask(`${api}/ping`, signal);
        if (status === 200) return { state: "ok", says: "The service answers.", detail: api };
        return { ...silent, detail: `${api}: HTTP ${status}` };
      } catch (error) {
        return { ...silent, detail: `${api}: ${reasonOf(error)}` };
      }
    },
  };
  const notReady: Finding = {
    state: "failed",
    says: "The service is not ready.",
    advice: ADVICE,
  };
  const ready: Probe = {
    name: "ready",
    isPublic: false,
    ttl: 0,
    timeout: 6000,
    late: notReady,
    inspect: async (signal) => {
      const { status, body } = await ask(`${api}/ready`, signal);
      if (status === 200) return { state: "ok", says: "The service is ready." };
      const { detail = `HTTP ${status}` } = body as { detail?: string };
      return { ...notReady, detail };
    },
  };
  const report: Probe = {
    name: "status",
    isPublic: false,
    ttl: 0,
    timeout: 5000,
    late: { state: "unknown", says: "The service does not tell how it is." },
    inspect: async (signal) => {
      const { checks = [] } = (await ask(`${api}/status`, signal)).body as ServiceReport;
      const bad = checks.filter(({ state }) => state === "failed" || state === "warning");
      if (bad.length === 0) return { state: "ok", says: "The service finds nothing wrong." };
      const state = bad.some((one) => one.state === "failed") ? "failed" : "warning";
      const detail = bad.map(({ says }) => says).join(" ");
      return { state, says: "The service itself finds something wrong.", detail, advice: ADVICE };
    },
  };
  return [ping, ready, report];
}
