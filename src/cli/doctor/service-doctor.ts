/** `doctor --service`: how the service is, for who runs it. It changes nothing, and asks what runs already. */
import { isIPv6 } from "node:net";
import { fileAccounts, sharedAccounts } from "../../identity/accounts/accounts.js";
import type { KeyStore } from "../../identity/keys/keys.js";
import { inspectCollections } from "../../index/collections/collections.js";
import { CATALOGUE } from "../../index/collections/configset.js";
import { SINGLE } from "../../index/collections/shards.js";
import { findRunningSolr } from "../../index/embedded/running.js";
import { Solr } from "../../index/solr.js";
import { StateCopy } from "../../index/state/state-copy.js";
import type { SolrEndpoint } from "../../index/transport/endpoint.js";
import { probesOf } from "../../server/assembly/compose-probes.js";
import type { Config } from "../../server/config.js";
import { type Known, StatusBoard } from "../../server/status/board.js";
import { FolderProbe } from "../../server/status/folder.js";
import type { Finding, Probe } from "../../server/status/probe.js";
import { worst } from "../../server/status/probe.js";
import { serviceProbes } from "../../server/status/service.js";
import { apiAddress, serviceAddress } from "../client/service-address.js";
import { printLine } from "../terminal/print-line.js";
import { printable } from "../terminal/printable.js";

export interface ServiceDoctorOptions {
  /** Where the service is, where that does not follow from the settings. */
  readonly host?: string;
  readonly json?: boolean;
}

/** Milliseconds for what must be known before the first look. */
const PATIENCE = 5000;

/**
 * Looks at everything that the service needs.
 *
 * @returns the exit status: 0, or 1 when something has failed
 * @throws AuthenticationError when the host is none
 */
export async function serviceDoctor(
  config: Config,
  options: ServiceDoctorOptions,
): Promise<number> {
  // Looks keep no process that has something else to do; this one has not.
  const awake = setInterval(() => {}, PATIENCE);
  try {
    return await lookAtAll(config, options);
  } finally {
    clearInterval(awake);
  }
}

async function lookAtAll(
  config: Config,
  { host, json = false }: ServiceDoctorOptions,
): Promise<number> {
  const api = apiAddress(host === undefined ? ownAddress(config) : serviceAddress(host));
  // Whoever reads there before that is known may wait for ever.
  const folder = await new FolderProbe(config.dataDir).inspect(AbortSignal.timeout(PATIENCE));
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
  await (json ? tellJson : tellText)(known);
  return known.some(({ finding }) => finding.state === "failed") ? 1 : 0;
}

/** What comes within PATIENCE, else something else. */
function soon<T>(coming: Promise<T>, otherwise: T): Promise<T> {
  const late = new Promise<T>((resolve) => {
    setTimeout(() => resolve(otherwise), PATIENCE).unref();
  });
  return Promise.race([coming.catch(() => otherwise), late]);
}

async function opened(config: Config, endpoint: SolrEndpoint): Promise<Solr> {
  const isOutside = config.solr.outside !== undefined;
  // How it is laid out; what is wrong with that the probes tell.
  const topology = isOutside ? await soon(inspectCollections(endpoint, CATALOGUE), SINGLE) : SINGLE;
  return new Solr(endpoint, PATIENCE, topology, undefined, config.solr.load);
}

/** @param isThere whether the data folder can be asked */
function keysOf(config: Config, solr: Solr | undefined, isThere: boolean): KeyStore | undefined {
  const { dataDir, auth } = config;
  const isElsewhere = auth.shared?.text !== undefined || auth.shared?.file !== undefined;
  if (!isThere && !isElsewhere) return undefined;
  // The state of the keys is told by the probe, in its own words.
  const report = (): void => {};
  if (auth.shared === undefined) return fileAccounts(dataDir, report).keys;
  if (solr === undefined) return undefined;
  const reports = { say: report, report };
  return sharedAccounts(new StateCopy(solr.state), dataDir, auth.shared, reports).keys;
}

/** Where a service with these settings can be reached from this machine. */
function ownAddress({ host, port, baseUrl }: Config): string {
  if (port === 0 && baseUrl !== undefined) return baseUrl;
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

const NOT_RUNNING: Finding = {
  state: "failed",
  says: "The embedded Solr does not run.",
  detail: "no service runs on DATA_DIR, or it is just being started",
  advice: "Start the service (`climate-nextgen serve`), with the same DATA_DIR as here.",
};
const notRunning: Probe = {
  ...{ name: "search", isPublic: true, ttl: 0, timeout: 1000, late: NOT_RUNNING },
  inspect: async () => NOT_RUNNING,
};

async function tellJson(known: readonly Known[]): Promise<void> {
  const checks = known.map(({ name, finding }) => ({ name, ...finding }));
  const state = worst(checks.map((one) => one.state));
  await printLine(JSON.stringify({ state, checks }));
}

async function tellText(known: readonly Known[]): Promise<void> {
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
  await printLine(`\n${known.length} looked at: ${failed} failed, ${warnings} to look at.`);
}

const STATE_WIDTH = "warning".length + 2;
