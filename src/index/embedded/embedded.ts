import { readFile, rename, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makePrivateFolder, writePrivateFile } from "../../platform/file-system/private-files.js";
import { packagePath } from "../../platform/package-root.js";
import { listensAt } from "../../platform/processes/listening.js";
import { endsWithin, isRunning, signalProcess } from "../../platform/processes/process-identity.js";
import type { Lock } from "../../platform/processes/process-lock.js";
import { COLLECTIONS } from "../collections/configset.js";
import { lockDataDir } from "../collections/data-dir-lock.js";
import { SetupError } from "../collections/setup-error.js";
import { isReplaying, updateLogPath } from "../collections/update-log.js";
import type { SolrEndpoint } from "../transport/endpoint.js";
import { fetchNode } from "../transport/reachable.js";
import { exists, prepareCores } from "./cores.js";
import { solrPassword, solrUser, writeSecurity } from "./password.js";
import { CORES, clearRunning, readRunning, recordRunning } from "./running.js";
import { javaArguments, launchSolr, type SolrProcess } from "./solr-process.js";
import { describeFailure, sizeOf } from "./start-failure.js";

interface EmbeddedSolrOptions {
  readonly dataDir: string;
  /** Java's heap size, such as `1g` or `512m`. */
  readonly heap: string;
  /** Undefined or 0: any free port. */
  readonly port?: number;
  /** Gets one line per step. */
  readonly report: (line: string) => void;
  /** Cores, which are made if they are missing. */
  readonly cores?: readonly string[];
  /** The caller's lock on the data folder. Left out: it is locked here and released by `stop`. */
  readonly lock?: Lock;
  /** Cancels the start. */
  readonly signal?: AbortSignal;
  /** Options of Java, before its other arguments. */
  readonly javaOptions?: readonly string[];
  /** The folder of the cores' configsets. Left out: that of this package. */
  readonly configsets?: string;
}

export interface EmbeddedSolr {
  readonly endpoint: SolrEndpoint;
  /** Java's process number. */
  readonly pid: number;
  /** Stops Solr and waits for its end, at most about 10 s. */
  stop(): Promise<void>;
  /** Calls back once, with a sentence, when Solr ends without `stop`; immediately if it has ended already. */
  onExit(callback: (reason: string) => void): void;
}

/** The folder with links to the targets of backups. Outside its home, Solr writes only there. */
export const backupLinks = (dataDir: string): string => join(resolve(dataDir), "solr", "backups");

/** Milliseconds. A start takes 3 to 6 s, on a busy machine many times as long. */
const START_TIMEOUT_MS = 120_000;
/** Milliseconds between two checks of a starting Solr. */
const POLL_INTERVAL_MS = 50;

/**
 * Starts the embedded Solr of a data folder. Waits until its cores answer and show all changes that they acknowledged
 * before, even before a crash. Needs the jars of `ensureSolrJars`.
 *
 * Solr listens on 127.0.0.1, requires a password that is only in the data folder, writes private files, and ends with this
 * process, even if that is killed (solr/keeper.sh). If an earlier Solr of the folder still runs, waits for its end.
 *
 * @throws SetupError if the port is in use or Solr does not start
 */
export async function startEmbeddedSolr(options: EmbeddedSolrOptions): Promise<EmbeddedSolr> {
  const lock = options.lock ?? (await lockDataDir(options.dataDir));
  try {
    const solr = await start(options);
    if (options.lock !== undefined) return solr;
    const stop = async () => {
      await solr.stop();
      await lock.release();
    };
    return { ...solr, stop };
  } catch (cause) {
    if (options.lock === undefined) await lock.release();
    throw cause;
  }
}

/** How often Solr is started on another port, because a program has taken the one that was free. */
const MAX_PORTS = 3;

async function start(options: EmbeddedSolrOptions): Promise<EmbeddedSolr> {
  for (let ports = 1; ; ports += 1) {
    try {
      return await startAt(await choosePort(options.port), options);
    } catch (cause) {
      const isTaken = cause instanceof SetupError && cause.message.includes(PORT_TAKEN);
      if (!isTaken || options.port || ports === MAX_PORTS) throw cause;
    }
  }
}

/** Java's words for a port that is in use. */
const PORT_TAKEN = "Address already in use";

async function startAt(port: number, options: EmbeddedSolrOptions): Promise<EmbeddedSolr> {
  const folder = join(resolve(options.dataDir), "solr");
  const cores = options.cores ?? COLLECTIONS;
  await makePrivateFolder(folder);
  await waitForPredecessor(folder, options.report);
  const password = await solrPassword(folder);
  await prepareHome(join(folder, "home"), cores, password);
  await prepareLogs(folder);
  const url = new URL(`http://127.0.0.1:${port}/solr`);
  const endpoint: SolrEndpoint = { urls: [url], user: solrUser, password };
  options.report("Starting Apache Solr.");
  const logStart = await sizeOf(join(folder, "logs", "solr.log"));
  const args = [
    ...(options.javaOptions ?? []),
    // No replica copies the index of a single Solr: solr/configset/conf/solrconfig.xml says why others commit more often.
    "-Dsolr.autoCommit.maxTime=60000",
    `-Dsolr.allowPaths=${backupLinks(options.dataDir)}`,
    ...javaArguments(folder, port, options.heap, options.configsets),
  ];
  const server = await launchSolr(folder, args);
  try {
    if (server.identity === undefined) throw new NotStarted("Solr ended at once.");
    const running = { ...server.identity, url: url.href };
    await recordRunning(folder, { ...running, ready: false });
    const starting = { endpoint, cores, server, signal: options.signal };
    await untilCoresAnswer(starting);
    await untilReplayed(starting, options.report);
    await recordRunning(folder, { ...running, ready: true });
    const stop = async () => {
      await server.stop();
      await clearRunning(folder);
    };
    return { endpoint, pid: running.pid, onExit: server.onExit, stop };
  } catch (cause) {
    await server.stop();
    await clearRunning(folder);
    if (!(cause instanceof NotStarted)) throw cause;
    throw new SetupError(await describeFailure(cause.message, folder, logStart));
  }
}

/** Waits for the Solr of a killed service, which locks the index for some seconds until it ends. */
async function waitForPredecessor(folder: string, report: (line: string) => void): Promise<void> {
  const before = await readRunning(folder);
  if (before === undefined || !(await isRunning(before))) return;
  report(`Waiting for the Solr of an earlier run (process ${before.pid}) to end.`);
  if (await endsWithin(before, 12_000)) return;
  // Its keeper was killed too. This process has locked the data folder, so no service uses that Solr.
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    signalProcess(before.pid, signal);
    if (await endsWithin(before, 10_000)) return;
  }
  throw new SetupError(
    `Process ${before.pid}, an earlier Solr of ${folder}, does not end; kill it and start again.`,
  );
}

async function prepareHome(
  home: string,
  cores: readonly string[],
  password: string,
): Promise<void> {
  await makePrivateFolder(home);
  const settings = await readFile(packagePath("solr", "solr.xml"), "utf8");
  await writePrivateFile(join(home, "solr.xml"), settings);
  await writeSecurity(home, solrUser, password);
  await prepareCores(home, cores);
}

async function prepareLogs(folder: string): Promise<void> {
  await makePrivateFolder(join(folder, "logs"));
  await rm(join(folder, "tmp"), { recursive: true, force: true });
  await makePrivateFolder(join(folder, "tmp"));
  const output = join(folder, "logs", "java.log");
  if (await exists(output)) await rename(output, `${output}.1`);
}

/** Checks that a port is free. @param wanted 0: any free port */
async function choosePort(wanted = 0): Promise<number> {
  const probe = createServer();
  return new Promise((done, fail) => {
    probe.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "is in use" : `cannot be used (${cause.code})`;
      fail(new SetupError(`Port ${wanted} for Solr ${why}.`));
    });
    probe.listen(wanted, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : wanted;
      probe.close(() => done(port));
    });
  });
}

/** The reason why Solr did not start, without its logs. */
class NotStarted extends Error {}

interface Starting {
  readonly endpoint: SolrEndpoint;
  readonly cores: readonly string[];
  readonly server: SolrProcess;
  readonly signal: AbortSignal | undefined;
}

/** Waits briefly. @throws NotStarted if Solr has ended or the start was cancelled */
async function pauseUnlessEnded({ server, signal }: Starting): Promise<void> {
  await sleep(POLL_INTERVAL_MS);
  const ended = server.ended();
  if (ended !== undefined) throw new NotStarted(ended);
  if (signal?.aborted) throw new NotStarted("The start was cancelled.");
}

async function untilCoresAnswer(starting: Starting): Promise<void> {
  const { endpoint, cores, server } = starting;
  const end = Date.now() + START_TIMEOUT_MS;
  const port = Number(endpoint.urls[0].port);
  for (let isOurs = false; Date.now() < end; await pauseUnlessEnded(starting)) {
    // Until Java listens, another program may, and would get the password.
    isOurs ||= await listensAt(server.identity?.pid ?? 0, port);
    if (!isOurs) continue;
    const text = await ask(CORES, endpoint);
    if (text !== undefined) {
      const answer = JSON.parse(text) as CoresStatus;
      const failed = cores.find((name) => answer.initFailures?.[name] !== undefined);
      if (failed !== undefined) {
        throw new NotStarted(
          `Its core ${failed} cannot be opened: ${answer.initFailures?.[failed]}.`,
        );
      }
      if (cores.every((name) => answer.status?.[name]?.name !== undefined)) return;
    }
  }
  throw new NotStarted(`It did not answer within ${START_TIMEOUT_MS / 1000} s.`);
}

/**
 * Waits until Solr has replayed its update logs after a crash. There is no time limit: a cancelled replay would start
 * again at the next start.
 */
async function untilReplayed(starting: Starting, report: (line: string) => void): Promise<void> {
  const path = updateLogPath(starting.cores);
  let isReported = false;
  for (; ; await pauseUnlessEnded(starting)) {
    const text = await ask(path, starting.endpoint);
    if (text === undefined) continue;
    if (!isReplaying(text)) return;
    if (!isReported) report("Solr replays its update log after a crash.");
    isReported = true;
  }
}

interface CoresStatus {
  readonly initFailures?: Readonly<Record<string, string>>;
  readonly status?: Readonly<Record<string, { readonly name?: string }>>;
}

/** The text of a successful answer; undefined for any other. @throws NotStarted if Solr has failed or is another one */
async function ask(path: string, endpoint: SolrEndpoint): Promise<string | undefined> {
  const request = { signal: AbortSignal.timeout(10_000) };
  const answer = await fetchNode(endpoint, path, request).catch(() => undefined);
  // Not listening yet.
  if (answer === undefined) return undefined;
  const { status, isOk, text } = answer;
  // If Solr has failed, Jetty still runs and answers every request with this text.
  if (text.includes("CoreContainer has shut down")) throw new NotStarted("Solr shut itself down.");
  if (status === 401) throw new NotStarted("Another Solr answers on its port.");
  return isOk ? text : undefined;
}
