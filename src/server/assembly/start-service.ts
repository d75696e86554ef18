/** Starts the whole service: Solr, the shared state, the answering processes and the ports. */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { findTools } from "../../files/rights/acl-tools.js";
import { isBelow } from "../../files/zarr/open/open-files.js";
import { weaknesses } from "../../files/zarr/worker/start-reader.js";
import type { Accounts } from "../../identity/accounts/accounts.js";
import { refuseUnfinishedRestore } from "../../index/backup/data-folder.js";
import { makeDataDir } from "../../index/collections/data-dir-lock.js";
import type { Solr } from "../../index/solr.js";
import { checkAudit } from "../audit/audit.js";
import { openLog } from "../monitoring/logging/log.js";
import { metricsServer } from "../monitoring/metrics/port.js";
import type { Config } from "../settings/config.js";
import { InvalidConfig } from "../settings/derived.js";
import { requireShares } from "../workers/share.js";
import { openIndex, openShared } from "./compose-service.js";
import { inOneProcess, type Service } from "./one-process.js";
import { openSolr } from "./open-solr.js";
import { listen, reachable, tryPort } from "./port.js";

/** Milliseconds that Solr's start gets to finish if the service is stopped meanwhile. */
const SETUP_STOP_MS = 10_000;

interface StartOptions {
  readonly say: (line: string) => void;
  /** Whether people read what the service prints: warnings are then sentences, not lines of the log. */
  readonly isTerminal: boolean;
  readonly stopping: AbortSignal;
  /** Fills an embedded Solr before anything is served. */
  readonly fill: (solr: Solr) => Promise<void>;
}

export interface StartedService {
  /** The address for a browser on this machine. */
  readonly address: string;
  /** The address of the metrics, if they have their own port. */
  readonly metricsAddress: string | undefined;
  readonly accounts: Accounts;
  /** Ends everything, Solr included, after transfers had DRAIN_MS to finish. */
  stop(): Promise<void>;
}

/** Checks what can be checked before Solr is started, which takes up to half a minute. */
export async function checkSetup(config: Config): Promise<void> {
  if (config.workers > 1) requireShares(config);
  if (config.rights !== "service") findTools();
  await tryPort(config);
  const metrics = metricsListenAddress(config);
  if (metrics !== undefined) await tryPort(metrics);
  await makeDataDir(config.dataDir);
  await refuseUnfinishedRestore(config.dataDir);
  for (const root of config.dataRoots) await refuseFile(root);
  if (config.audit !== undefined) await checkAudit(config.audit);
}

/** A folder that is missing is only a warning: a disk may be mounted later. */
async function refuseFile(root: string): Promise<void> {
  const found = await stat(root).catch(() => undefined);
  if (found === undefined || found.isDirectory()) return;
  throw new InvalidConfig(`DATA_ROOTS must be folders, but ${root} is a file.`);
}

/** Starts the service and opens its ports; undefined if it was stopped before Solr was up. */
export async function startService(
  config: Config,
  { say, isTerminal, stopping, fill }: StartOptions,
): Promise<StartedService | undefined> {
  const logger = openLog(config.logLevel);
  const opened = await orStop(openSolr(config, { report: say, logger }), stopping);
  if (stopping.aborted) {
    await opened.close();
    return undefined;
  }
  try {
    const solr = openIndex(config, opened);
    if (opened.embedded) await fill(solr);
    // Opened here and not in the workers: messages appear once, and errors before anything is served.
    const shared = openShared(config, solr, { say, logger });
    await shared.accounts.keys.open();
    const service =
      config.workers === 1
        ? await inOneProcess(config, shared, logger)
        : new (await import("../workers/supervisor.js")).WorkerSupervisor(config, opened, logger);
    const address = await service.listen();
    const metrics = await openMetrics(config, service);
    for (const [message, words, fields = { problem: words }] of settingWarnings(config, address)) {
      if (!isTerminal) logger.warn(fields, message);
      else say(`Note        ${words}`);
    }
    return {
      address,
      metricsAddress: metrics?.address,
      accounts: shared.accounts,
      stop: async () => {
        try {
          await service.stop();
          metrics?.close();
        } finally {
          await opened.close();
        }
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Waits for Solr's start. On a stop it waits for SETUP_STOP_MS more, so that Solr can end in order. */
async function orStop<T>(step: Promise<T>, stopping: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    // A running Solr ends with this process.
    timer = setTimeout(() => process.exit(1), SETUP_STOP_MS);
  };
  stopping.addEventListener("abort", giveUp, { once: true });
  try {
    return await step;
  } finally {
    stopping.removeEventListener("abort", giveUp);
    clearTimeout(timer);
  }
}

/** Opens the metrics' own port, if they have one. If that fails, the service is stopped. */
async function openMetrics(config: Config, service: Service) {
  const where = metricsListenAddress(config);
  if (where === undefined) return undefined;
  const server = metricsServer(() => service.scrape());
  try {
    const address = reachable(await listen(server, where));
    const close = (): void => {
      server.close();
      server.closeAllConnections();
    };
    return { address, close };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** The metrics' own host and port; undefined if they are on the service's port. */
function metricsListenAddress({ metrics }: Config) {
  return metrics && { ...metrics, settings: { host: "METRICS_PORT", port: "METRICS_PORT" } };
}

export const SERVICE_RIGHTS =
  "FILE_RIGHTS=service: every user with a valid token reads all public data that this service can read, whatever their rights on the disk (FILE_RIGHTS=posix checks these)";

/** The message and the fields of the line in the log, and the sentence for people. */
type SettingWarning = [message: string, words: string, fields?: Readonly<Record<string, string>>];

/** Valid settings that may be mistakes. */
function settingWarnings(config: Config, address: string): SettingWarning[] {
  const { dataRoots, dataDir } = config;
  const problems = [
    ...dataRoots
      .filter((root) => root === dataDir || isBelow(root, dataDir))
      .map((root) => `DATA_DIR lies below ${root}: processes that read files could read keys, too`),
    ...weaknesses(),
  ];
  // Only a warning: a disk may be mounted later.
  const missing = dataRoots.filter((folder) => !existsSync(folder));
  const unnamed = "neither BASE_URL nor TRUSTED_HOSTS: links have the address of this machine";
  const isUnnamed =
    config.trustProxy > 0 && config.baseUrl === undefined && config.trustedHosts.length === 0;
  return [
    ...problems.map((words): SettingWarning => ["reading files", words]),
    ...missing.map((root): SettingWarning => {
      const words = `${root}, a folder of DATA_ROOTS, is not there`;
      return ["a folder of DATA_ROOTS is not there", words, { root }];
    }),
    ...config.ignored.map((words): SettingWarning => ["settings", words]),
    ...(isUnnamed ? ([[unnamed, unnamed, { address }]] satisfies SettingWarning[]) : []),
  ];
}
