/** The command `serve`: brings everything up, says what it does, and takes it down again. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createApp } from "../app.js";
import { openAccounts } from "../auth/accounts.js";
import { openAuth } from "../auth/auth.js";
import { StateCopy } from "../auth/state-copy.js";
import type { Config } from "../config.js";
import { readCaller } from "../contract/caller.js";
import { readDocument } from "../contract/document.js";
import { OwnFlavours } from "../flavours/own-flavours.js";
import { createHttpServer } from "../http-server.js";
import { packagePath } from "../package-root.js";
import { SetupError } from "../solr/setup-error.js";
import { Solr } from "../solr/solr.js";
import { Storage } from "../solr/storage.js";
import { machineLookups } from "../userdata/machine.js";
import { RegistrationRule } from "../userdata/registration-rule.js";
import { Datasets } from "../zarr/datasets.js";
import { isBelow } from "../zarr/opened.js";
import { weaknesses } from "../zarr/worker/start-reader.js";
import { makeDemoUser } from "./demo-user.js";
import { endWithNpm } from "./end-with-npm.js";
import { loadFiles } from "./load-files.js";
import { openLog } from "./log.js";
import { openSolr } from "./open-solr.js";
import { outliveOutput } from "./output.js";

/** Milliseconds that transfers get to finish when the service is told to stop. */
const DRAIN_MS = 5000;
/** Milliseconds that the set-up gets to come to an end when it is told to stop in the middle. */
const SETUP_STOP_MS = 10_000;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

function inUse(config: Config, error: NodeJS.ErrnoException): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${config.port} on ${config.host} is in use; stop what uses it or set PORT.`,
    EACCES: `Port ${config.port} on ${config.host} may not be used by this account; set PORT.`,
    EADDRNOTAVAIL: `${config.host} is not an address of this machine; set HOST.`,
    ENOTFOUND: `${config.host} is not an address of this machine; set HOST.`,
  };
  const reason = reasons[error.code ?? ""];
  return reason === undefined ? error : new SetupError(reason, { cause: error });
}

async function listen(server: Server, config: Config): Promise<AddressInfo> {
  server.listen(config.port, config.host);
  await once(server, "listening").catch((error) => {
    throw inUse(config, error);
  });
  return server.address() as AddressInfo;
}

/** Finds out early that the port is taken, rather than after half a minute of set-up. */
async function tryPort(config: Config): Promise<void> {
  const probe = createServer();
  await listen(probe, config);
  await new Promise((resolve) => probe.close(resolve));
}

/** The sample catalogue goes into an embedded Solr once, and never to data of somebody's own. */
async function loadSample(solr: Solr, config: Config): Promise<void> {
  const marker = join(config.dataDir, "sample-loaded");
  if (existsSync(marker) || (await solr.count({ collection: "files", filters: [] })) > 0) return;
  say("Loading the sample catalogue (data/catalogue.jsonl)");
  await loadFiles(solr.http, [packagePath("data", "catalogue.jsonl")], packagePath("data"));
  await writeFile(marker, "The sample catalogue was loaded; it is not loaded again.\n");
}

/** What reads files, in processes that have the data roots in reach and nothing else. */
function openDatasets(config: Config, report: (problem: string) => void): Datasets {
  const { dataRoots, dataDir, readingMemory: memory } = config;
  for (const root of dataRoots.filter((each) => each === dataDir || isBelow(each, dataDir))) {
    report(`DATA_DIR lies below ${root}: processes that read files could read keys, too`);
  }
  for (const weakness of weaknesses()) report(weakness);
  return new Datasets({ dataRoots, memory, report });
}

/** An address that a person on this machine can open. */
function reachable({ address, port, family }: AddressInfo): string {
  if (address === "0.0.0.0" || address === "::") return `http://localhost:${port}`;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
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
 * @throws SetupError, InvalidConfig: one sentence for the person who started it
 */
export async function serve(config: Config): Promise<void> {
  outliveOutput();
  await tryPort(config);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  endWithNpm();

  const logger = openLog(config.logLevel);
  const opened = await orStop(openSolr(config, { report: say, logger }), stopping.signal);
  try {
    if (stopping.signal.aborted) return;
    const { endpoint, topology, isUp } = opened;
    const solr = new Solr(endpoint, config.solr.timeoutMs, topology, isUp, config.solr.load);
    solr.http.onFailedWrite = opened.mend;
    if (opened.embedded) await loadSample(solr, config);
    const copy = new StateCopy(solr.state);
    const flavours = new OwnFlavours(copy);
    const report = (problem: string): void => logger.warn({ problem }, "accounts");
    const { shared } = config.auth;
    const accounts = await openAccounts(copy, config.dataDir, shared, { say, report });
    const auth = await openAuth({ ...config.auth, accounts, copy, report });
    const datasets = openDatasets(config, (problem) => logger.warn({ problem }, "reading files"));
    let address = "";
    const app = createApp({
      solr,
      auth,
      datasets,
      storage: new Storage(solr.state, config.dataDir),
      flavours,
      dataRoots: config.dataRoots,
      registration: new RegistrationRule(config.userDataFolders, machineLookups()),
      clock: Date.now,
      readCaller: readCaller({
        baseUrl: config.baseUrl,
        listening: () => address,
        trustProxy: config.trustProxy,
        trustedHosts: config.trustedHosts,
      }),
      document: await readDocument(),
      logger,
      corsOrigins: config.corsOrigins,
      userDataLimit: config.userDataLimit,
      checkReplies: process.env.CHECK_REPLIES === "1",
    });
    const server = createHttpServer(app, logger, config.connections);
    address = reachable(await listen(server, config));
    const base = config.baseUrl ?? address;
    // Not refused: a disk may be mounted later.
    for (const root of config.dataRoots.filter((folder) => !existsSync(folder))) {
      logger.warn({ root }, "a folder of DATA_ROOTS is not there");
    }
    if (config.trustProxy > 0 && config.baseUrl === undefined && config.trustedHosts.length === 0) {
      logger.warn(
        { address },
        "neither BASE_URL nor TRUSTED_HOSTS: links have the address of this machine",
      );
    }
    say("");
    say(`API         ${base}/api/climate-nextgen`);
    say(`Swagger UI  ${base}/docs`);
    say(`Try         curl '${address}${EXAMPLE}'`);
    // Only now: a password of a service that does not come up would be shown to nobody, and never again.
    const demo = await makeDemoUser(config, accounts).catch(async (error: unknown) => {
      await drain(server);
      throw error;
    });
    if (demo !== undefined) {
      say("");
      say(`A first user was made; its password is shown only this once:`);
      say(`            username demo, password ${demo}`);
    }
    say("");
    say(`Listening on ${address}`);
    if (!stopping.signal.aborted) await once(stopping.signal, "abort");
    say("Stopping");
    await drain(server);
    await Promise.all([auth.close(), datasets.close()]);
  } finally {
    await opened.close();
  }
}

const EXAMPLE =
  "/api/climate-nextgen/databrowser/data-search/cmip6/file?experiment_id=historical&variable_id=tas";

async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(timer);
}
