/** `doctor --service`: asks a running service how it is. It changes and starts nothing. */
import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { components } from "../../../generated/openapi.js";
import { type Finding, reasonOf, worst } from "../../server/monitoring/status/probe.js";
import type { Config } from "../../server/settings/config.js";
import { apiAddress, serviceAddress } from "../client/service-address.js";
import { printLine } from "../terminal/print-line.js";
import { printable } from "../terminal/printable.js";

interface ServiceDoctorOptions {
  /** Address of the service; by default from the settings. */
  readonly host?: string;
  readonly json?: boolean;
}

type ServiceStatus = components["schemas"]["ServiceStatus"];
type Check = Finding & { readonly name: string };

/** Milliseconds for an answer: `ready` gives up after 4 s. */
const TIMEOUT_MS = 6000;
/** Seconds within which the service looks at everything again, if somebody asks. */
const MAX_AGE = 75;
/** Milliseconds to wait for what is looked at, and between two questions. */
const MAX_WAIT = 12_000;
const PAUSE = 250;

/**
 * Asks a service whether it answers, whether it is ready, and for its status.
 *
 * @returns the exit status: 0, or 1 if something has failed
 * @throws AuthenticationError if the host is invalid
 */
export async function serviceDoctor(
  config: Config,
  { host, json = false }: ServiceDoctorOptions,
): Promise<number> {
  const api = apiAddress(host === undefined ? ownAddress(config) : serviceAddress(host));
  const checks = await checksOf(api).catch((error: unknown): Check[] => [
    {
      name: "service",
      state: "failed",
      says: "The service does not answer.",
      detail: `${api}: ${reasonOf(error)}`,
      advice:
        "Start it, or name where it is with --host; look at its log (`journalctl -u climate-nextgen`).",
    },
  ]);
  await (json ? printJson : printText)(checks);
  return checks.some(({ state }) => state === "failed") ? 1 : 0;
}

async function checksOf(api: string): Promise<Check[]> {
  const ready = await readiness(api);
  const { checks } = await wholeStatus(api);
  return [
    { name: "service", state: "ok", says: "The service answers.", detail: api },
    ready,
    ...checks,
  ];
}

async function readiness(api: string): Promise<Check> {
  const { status, body } = await ask(`${api}/ready`);
  if (status === 200) return { name: "ready", state: "ok", says: "The service is ready." };
  const { detail = `HTTP ${status}` } = body as { detail?: string };
  return { name: "ready", state: "failed", says: "The service is not ready.", detail };
}

/** The status once everything has been looked at, or what there is after MAX_WAIT: the service itself waits for nothing. */
async function wholeStatus(api: string): Promise<ServiceStatus> {
  for (const end = Date.now() + MAX_WAIT; ; await sleep(PAUSE)) {
    const { status, body } = await ask(`${api}/status`);
    if (status !== 200) throw new Error(`status is answered with HTTP ${status}`);
    const found = body as ServiceStatus;
    const isWhole = found.checks.every(({ age }) => age !== undefined && age <= MAX_AGE);
    if (isWhole || Date.now() > end) return found;
  }
}

async function ask(address: string): Promise<{ status: number; body: unknown }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = { Accept: "application/json" };
  const response = await fetch(address, { headers, redirect: "error", signal });
  return { status: response.status, body: JSON.parse(await response.text()) as unknown };
}

/** Address of a service with these settings, from this machine. */
function ownAddress({ host, port, baseUrl }: Config): string {
  if (port === 0 && baseUrl !== undefined) return baseUrl;
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

async function printJson(checks: readonly Check[]): Promise<void> {
  const state = worst(checks.map((one) => one.state));
  await printLine(JSON.stringify({ state, checks }));
}

async function printText(checks: readonly Check[]): Promise<void> {
  const width = Math.max(...checks.map(({ name }) => name.length)) + 2;
  const indent = " ".repeat(STATE_WIDTH + width);
  for (const { name, state, says, detail, advice } of checks) {
    await printLine(printable(`${state.padEnd(STATE_WIDTH)}${name.padEnd(width)}${says}`));
    if (detail !== undefined) await printLine(printable(`${indent}${detail}`));
    if (advice !== undefined && state !== "ok") await printLine(printable(`${indent}-> ${advice}`));
  }
  const count = (wanted: string): number => checks.filter(({ state }) => state === wanted).length;
  const [failed, warnings] = [count("failed"), count("warning")];
  await printLine(`\n${checks.length} checks: ${failed} failed, ${warnings} with warnings.`);
}

const STATE_WIDTH = "warning".length + 2;
