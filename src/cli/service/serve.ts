/** The command `serve`: brings everything up, says what it does, and takes it down again. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isatty } from "node:tty";
import type { Logger } from "pino";
import { findTools } from "../../files/rights/acl-tools.js";
import { isBelow } from "../../files/zarr/open/open-files.js";
import { weaknesses } from "../../files/zarr/worker/start-reader.js";
import type { Accounts } from "../../identity/accounts/accounts.js";
import { refuseUnfinishedRestore } from "../../index/backup/data-folder.js";
import type { Solr } from "../../index/solr.js";
import { outliveOutput } from "../../platform/output.js";
import { packagePath } from "../../platform/package-root.js";
import { openIndex, openShared } from "../../server/assembly/compose-service.js";
import { inOneProcess, type Service } from "../../server/assembly/one-process.js";
import { openSolr } from "../../server/assembly/open-solr.js";
import { listen, reachable, tryPort } from "../../server/assembly/port.js";
import type { Config } from "../../server/config.js";
import { openLog } from "../../server/logging/log.js";
import { metricsServer } from "../../server/metrics/port.js";
import { requireShares } from "../../server/workers/share.js";
import { loadFiles } from "../index/load-files.js";
import { makeDemoUser } from "./demo-user.js";
import { endWithNpm } from "./end-with-npm.js";

/** Milliseconds that the set-up gets to come to an end when it is told to stop in the middle. */
const SETUP_STOP_MS = 10_000;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The sample catalogue goes into an embedded Solr once, and never to data of somebody's own. */
async function loadSample(solr: Solr, config: Config): Promise<void> {
  const marker = join(config.dataDir, "sample-loaded");
  if (existsSync(marker) || (await solr.count({ collection: "files", filters: [] })) > 0) return;
  say("Loading the sample catalogue (data/catalogue.jsonl)");
  await loadFiles(solr.http, [packagePath("data", "catalogue.jsonl")], packagePath("data"));
  await writeFile(marker, "The sample catalogue was loaded; it is not loaded again.\n");
}

/** Settings that somebody may want to look at again, but with which the service runs. */
function warnOfSettings(config: Config, logger: Logger): void {
  const { dataRoots, dataDir } = config;
  const problems = [
    ...dataRoots
      .filter((root) => root === dataDir || isBelow(root, dataDir))
      .map((root) => `DATA_DIR lies below ${root}: processes that read files could read keys, too`),
    ...weaknesses(),
  ];
  for (const problem of problems) logger.warn({ problem }, "reading files");
  // Not refused: a disk may be mounted later.
  for (const root of dataRoots.filter((folder) => !existsSync(folder))) {
    logger.warn({ root }, "a folder of DATA_ROOTS is not there");
  }
}

/** A step of the set-up; told to stop, it may finish so that Solr ends in order, but not for long. */
async function orStop<T>(step: Promise<T>, stopping: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    // Solr, if it runs already, ends by itself when this process does.
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

/**
 * Runs the service until SIGINT or SIGTERM.
 *
 * @throws SetupError, InvalidConfig, RightsUntold: one sentence for the person who started it
 */
export async function serve(config: Config): Promise<void> {
  outliveOutput();
  if (config.workers > 1) requireShares(config);
  if (config.rights.mode === "posix") findTools();
  await tryPort(config);
  const metrics = metricsPlace(config);
  if (metrics !== undefined) await tryPort(metrics);
  await refuseUnfinishedRestore(config.dataDir);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  // logrotate sends it; files of the audit are taken up anew by themselves. A terminal that is closed still ends it.
  if (config.audit !== undefined && ![0, 1, 2].some(isatty)) process.on("SIGHUP", () => {});
  endWithNpm();

  const logger = openLog(config.logLevel);
  const opened = await orStop(openSolr(config, { report: say, logger }), stopping.signal);
  try {
    if (stopping.signal.aborted) return;
    const solr = openIndex(config, opened);
    if (opened.embedded) await loadSample(solr, config);
    // Here, so that what is made or taken over is said once, and what stands in the way is told before anything answers.
    const shared = await openShared(config, solr, { say, logger });
    await shared.accounts.keys.open();
    const service =
      config.workers === 1
        ? await inOneProcess(config, shared, logger)
        : await (await import("../../server/workers/worker-supervisor.js")).inWorkers(
            config,
            opened,
            logger,
          );
    await serveUntil(stopping.signal, { config, service, accounts: shared.accounts, logger });
  } finally {
    await opened.close();
  }
}

/** Where it is told what is measured, if not on the port of the service. */
function metricsPlace({ metrics: { host, port } }: Config) {
  return port === undefined ? undefined : { host, port, of: "METRICS_" };
}

/** @returns what ends it. @throws SetupError */
async function tellMetrics(config: Config, service: Service): Promise<() => void> {
  const place = metricsPlace(config);
  if (place === undefined) return () => {};
  const server = metricsServer(() => service.scrape());
  const address = await listen(server, place);
  say(`Metrics on ${reachable(address)}/metrics`);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

interface SetUp {
  readonly config: Config;
  readonly service: Service;
  readonly accounts: Accounts;
  readonly logger: Logger;
}

async function serveUntil(
  stopping: AbortSignal,
  { config, service, accounts, logger }: SetUp,
): Promise<void> {
  const address = await service.listen();
  const endMetrics = await tellMetrics(config, service).catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  const base = config.baseUrl ?? address;
  warnOfSettings(config, logger);
  if (config.rights.mode === "service") {
    say(`Rights      ${SERVICE_RIGHTS}`);
    logger.warn({ problem: SERVICE_RIGHTS }, "rights");
  }
  if (config.trustProxy > 0 && config.baseUrl === undefined && config.trustedHosts.length === 0) {
    logger.warn(
      { address },
      "neither BASE_URL nor TRUSTED_HOSTS: links have the address of this machine",
    );
  }
  say("");
  say(`Page        ${base}/`);
  say(`API         ${base}/api/climate-nextgen`);
  say(`Swagger UI  ${base}/docs`);
  say(`Try         curl '${address}${EXAMPLE}'`);
  // Only now: a password of a service that does not come up would be shown to nobody, and never again.
  const demo = await makeDemoUser(config, accounts).catch(async (error: unknown) => {
    endMetrics();
    await service.stop();
    throw error;
  });
  if (demo !== undefined) {
    say("");
    say(`A first user was made; its password is shown only this once:`);
    say(`            username demo, password ${demo}`);
  }
  say("");
  say(`Listening on ${address}`);
  if (!stopping.aborted) await once(stopping, "abort");
  say("Stopping");
  await service.stop();
  endMetrics();
}

/** Of somebody who has never thought of it, it may let others read what they should not. */
const SERVICE_RIGHTS =
  "FILE_RIGHTS=service: whoever has a valid token reads all public data that this service can read, whatever their rights on the disk (FILE_RIGHTS=posix asks these)";

const EXAMPLE =
  "/api/climate-nextgen/databrowser/data-search/cmip6/file?experiment_id=historical&variable_id=tas";
