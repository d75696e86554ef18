/** `doctor --service`: checks a running service. It changes and starts nothing. */
import { isIPv6 } from "node:net";
import { fileAccounts, sharedAccounts } from "../../identity/accounts/accounts.js";
import type { KeyStore } from "../../identity/keys/keys.js";
import { inspectCollections } from "../../index/collections/collections.js";
import { FILES } from "../../index/collections/configset.js";
import { SINGLE } from "../../index/collections/shards.js";
import { findRunningSolr } from "../../index/embedded/running.js";
import { Solr } from "../../index/solr.js";
import { StateCopy } from "../../index/state/state-copy.js";
import type { SolrEndpoint } from "../../index/transport/endpoint.js";
import { inTime } from "../../platform/concurrency/in-time.js";
import { probesOf } from "../../server/assembly/compose-probes.js";
import { type Known, StatusBoard } from "../../server/monitoring/status/board.js";
import { FolderProbe } from "../../server/monitoring/status/folder.js";
import type { Finding, Probe } from "../../server/monitoring/status/probe.js";
import { worst } from "../../server/monitoring/status/probe.js";
import { serviceProbes } from "../../server/monitoring/status/service.js";
import type { Config } from "../../server/settings/config.js";
import { apiAddress, serviceAddress } from "../client/service-address.js";
import { printLine } from "../terminal/print-line.js";
import { printable } from "../terminal/printable.js";

export interface ServiceDoctorOptions {
  /** Address of the service; by default from the settings. */
  readonly host?: string;
  readonly json?: boolean;
}

/** Milliseconds; timeout of the steps before the first probe. */
const TIMEOUT_MS = 5000;

/**
 * Checks everything that the service needs.
 *
 * @returns the exit status: 0, or 1 if a check failed
 * @throws AuthenticationError if the host is invalid
 */
export async function serviceDoctor(
  config: Config,
  options: ServiceDoctorOptions,
): Promise<number> {
  // Probes do not keep a process alive; this timer does.
  const awake = setInterval(() => {}, TIMEOUT_MS);
  try {
    return await checkAll(config, options);
  } finally {
    clearInterval(awake);
  }
}

async function checkAll(
  config: Config,
  { host, json = false }: ServiceDoctorOptions,
): Promise<number> {
  const api = apiAddress(host === undefined ? ownAddress(config) : serviceAddress(host));
  // First, because reading a folder on a mount that hangs would block for ever.
  const folder = await new FolderProbe(config.dataDir).inspect(AbortSignal.timeout(TIMEOUT_MS));
  const isThere = folder.kind === "there";
  const endpoint =
    config.solr.outside ??
    (isThere ? await soon(findRunningSolr(config.dataDir), undefined) : undefined);
  const solr = endpoint && (await opened(config, endpoint));
  const parts = { config, solr, keys: keysOf(config, solr, isThere) };
  const board = new StatusBoard([
    ...serviceProbes(api),
    ...(solr ? [] : [notRunning]),
    ...probesOf(parts),
  ]);
  const known = await board.whole();
  await (json ? printJson : printText)(known);
  return known.some(({ finding }) => finding.state === "failed") ? 1 : 0;
}

/** The result if it comes within TIMEOUT_MS, else `otherwise`. */
const soon = <T>(coming: Promise<T>, otherwise: T): Promise<T> =>
  inTime(
    coming.catch(() => otherwise),
    TIMEOUT_MS,
    () => otherwise,
  );

async function opened(config: Config, endpoint: SolrEndpoint): Promise<Solr> {
  const isOutside = config.solr.outside !== undefined;
  // The probes report problems of the layout.
  const topology = isOutside ? await soon(inspectCollections(endpoint, [FILES]), SINGLE) : SINGLE;
  return new Solr(endpoint, TIMEOUT_MS, topology, undefined, config.solr.load);
}

function keysOf(config: Config, solr: Solr | undefined, isThere: boolean): KeyStore | undefined {
  const { dataDir, auth } = config;
  const isElsewhere = auth.shared?.text !== undefined || auth.shared?.file !== undefined;
  if (!isThere && !isElsewhere) return undefined;
  // The probe reports the state of the keys.
  const report = (): void => {};
  if (auth.shared === undefined) return fileAccounts(dataDir, report).keys;
  if (solr === undefined) return undefined;
  const reports = { progress: report, report };
  return sharedAccounts(new StateCopy(solr.state), dataDir, auth.shared, reports).keys;
}

/** Address of a service with these settings, from this machine. */
function ownAddress({ host, port, baseUrl }: Config): string {
  if (port === 0 && baseUrl !== undefined) return baseUrl;
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

const NOT_RUNNING: Finding = {
  state: "failed",
  says: "The embedded Solr does not run.",
  detail: "no service runs on DATA_DIR, or it is just starting",
  advice: "Start the service (`climate-nextgen serve`), with the same DATA_DIR as here.",
};
const notRunning: Probe = {
  name: "search",
  isPublic: true,
  ttl: 0,
  timeout: 1000,
  late: NOT_RUNNING,
  inspect: async () => NOT_RUNNING,
};

async function printJson(known: readonly Known[]): Promise<void> {
  const checks = known.map(({ name, finding }) => ({ name, ...finding }));
  const state = worst(checks.map((one) => one.state));
  await printLine(JSON.stringify({ state, checks }));
}

async function printText(known: readonly Known[]): Promise<void> {
  const width = Math.max(...known.map(({ name }) => name.length)) + 2;
  const indent = " ".repeat(STATE_WIDTH + width);
  for (const { name, finding } of known) {
    const { state, says, detail, advice } = finding;
    await printLine(printable(`${state.padEnd(STATE_WIDTH)}${name.padEnd(width)}${says}`));
    if (detail !== undefined) await printLine(printable(`${indent}${detail}`));
    if (advice !== undefined && state !== "ok") await printLine(printable(`${indent}-> ${advice}`));
  }
  const count = (wanted: string): number =>
    known.filter(({ finding }) => finding.state === wanted).length;
  const [failed, warnings] = [count("failed"), count("warning")];
  await printLine(`\n${known.length} checks: ${failed} failed, ${warnings} with warnings.`);
}

const STATE_WIDTH = "warning".length + 2;
