import { readFile, rename, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { packagePath } from "../../platform/package-root.js";
import { makePrivateFolder, writePrivateFile } from "../../platform/private-files.js";
import { endsWithin, isRunning, signalProcess } from "../../platform/process-identity.js";
import type { Lock } from "../../platform/process-lock.js";
import { lockDataDir } from "../collections/data-dir-lock.js";
import { SetupError } from "../collections/setup-error.js";
import { isReplaying, updateLogPath } from "../collections/update-log.js";
import { authorization, type SolrEndpoint, solrUrl } from "../transport/endpoint.js";
import { exists, prepareCores } from "./cores.js";
import { solrPassword, solrUser, writeSecurity } from "./password.js";
import { forgetRunning, readRunning, rememberRunning } from "./running.js";
import { javaArguments, launchSolr, type SolrProcess } from "./solr-process.js";
import { describeFailure, sizeOf } from "./start-failure.js";

export interface EmbeddedSolrOptions {
  readonly dataDir: string;
  /** As Java takes it: `1g`, `512m`. */
  readonly heap: string;
  /** Undefined or 0: a free one. */
  readonly port?: number;
  /** Gets one line a step. */
  readonly report: (line: string) => void;
  /** Cores that are made when they are missing. */
  readonly cores?: readonly string[];
  /** The caller's lock on the data folder; without it one is taken here and released by `stop`. */
  readonly lock?: Lock;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
  /** For Java itself, before its other arguments. */
  readonly javaOptions?: readonly string[];
  /** Where the cores' configsets lie; those of this package where it is left out. */
  readonly configsets?: string;
}

export interface EmbeddedSolr {
  readonly endpoint: SolrEndpoint;
  /** Java's process number. */
  readonly pid: number;
  /** Ends Solr properly and waits for it; at most about 10 s. */
  stop(): Promise<void>;
  /** Called once if Solr ends without `stop`, with a sentence that says so; at once if it has already. */
  onExit(callback: (reason: string) => void): void;
}

/** Where links lead to folders into which Solr is to write a backup; it writes nowhere else outside of its home. */
export const backupLinks = (dataDir: string): string => join(resolve(dataDir), "solr", "backups");

const defaultCores = ["files", "latest", "state"];
/** A start takes 3 to 6 s; a loaded machine may need many times as much. */
const startLimit = 120_000;
/** Milliseconds between two looks at a Solr that is starting. */
const POLL = 50;

/**
 * Starts the embedded Solr of a data folder and waits until its cores answer and show all that they had
 * acknowledged before, also when they were killed then. `ensureSolrJars` comes first.
 *
 * It listens on 127.0.0.1, asks for a password that is in the data folder alone, writes files nobody else can
 * read, and ends with this process however that ends (solr/keeper.sh). A Solr that a killed service left
 * behind is waited for.
 *
 * Throws DataDirInUse, and SetupError when the port is taken or Solr does not come up.
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

async function start(options: EmbeddedSolrOptions): Promise<EmbeddedSolr> {
  const folder = join(resolve(options.dataDir), "solr");
  const cores = options.cores ?? defaultCores;
  await makePrivateFolder(folder);
  await outlivePredecessor(folder, options.report);
  const password = await solrPassword(folder);
  await prepareHome(join(folder, "home"), cores, password);
  await prepareLogs(folder);
  const port = await choosePort(options.port);
  const url = new URL(`http://127.0.0.1:${port}/solr`);
  const endpoint: SolrEndpoint = { urls: [url], user: solrUser, password };
  options.report("Starting Apache Solr.");
  const logStart = await sizeOf(join(folder, "logs", "solr.log"));
  const args = [
    ...(options.javaOptions ?? []),
    `-Dsolr.allowPaths=${backupLinks(options.dataDir)}`,
    ...javaArguments(folder, port, options.heap, options.configsets),
  ];
  const server = await launchSolr(folder, args);
  try {
    if (server.identity === undefined) throw new NotStarted("Solr ended at once.");
    const running = { ...server.identity, url: url.href };
    await rememberRunning(folder, { ...running, ready: false });
    const asking = { endpoint, cores, server, signal: options.signal };
    await untilCoresAnswer(asking);
    await untilReplayed(asking, options.report);
    await rememberRunning(folder, { ...running, ready: true });
    return embedded(endpoint, running.pid, folder, server);
  } catch (cause) {
    await server.stop();
    await forgetRunning(folder);
    if (!(cause instanceof NotStarted)) throw cause;
    throw new SetupError(await describeFailure(cause.message, folder, logStart));
  }
}

function embedded(
  endpoint: SolrEndpoint,
  pid: number,
  folder: string,
  server: SolrProcess,
): EmbeddedSolr {
  const stop = async () => {
    await server.stop();
    await forgetRunning(folder);
  };
  return { endpoint, pid, onExit: server.onExit, stop };
}

/** A service that was killed leaves a Solr that takes some seconds to end; its index is locked until then. */
async function outlivePredecessor(folder: string, report: (line: string) => void): Promise<void> {
  const before = await readRunning(folder);
  if (before === undefined || !(await isRunning(before))) return;
  report(`Waiting for the Solr of an earlier run (process ${before.pid}) to end.`);
  if (await endsWithin(before, 12_000)) return;
  // Its keeper was killed as well. We hold the data folder's lock, so nobody uses it.
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    signalProcess(before.pid, signal);
    if (await endsWithin(before, 10_000)) return;
  }
  throw new SetupError(`Process ${before.pid}, an earlier Solr of ${folder}, cannot be ended.`);
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

/** The port that was asked for if it is free, else any free one. */
async function choosePort(wanted = 0): Promise<number> {
  const probe = createServer();
  return new Promise((done, fail) => {
    probe.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "is in use" : `cannot be used (${cause.code})`;
      fail(
        new SetupError(`Port ${wanted} for Solr ${why}; set SOLR_PORT to another or leave it out.`),
      );
    });
    probe.listen(wanted, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : wanted;
      probe.close(() => done(port));
    });
  });
}

/** Why Solr is not there, without the log. */
class NotStarted extends Error {}

interface Asking {
  readonly endpoint: SolrEndpoint;
  readonly cores: readonly string[];
  readonly server: SolrProcess;
  readonly signal: AbortSignal | undefined;
}

/** Waits a moment; nothing more is to be expected of a Solr that has ended or is not wanted any more. */
async function waitOn({ server, signal }: Asking): Promise<void> {
  await sleep(POLL);
  const ended = server.ended();
  if (ended !== undefined) throw new NotStarted(ended);
  if (signal?.aborted) throw new NotStarted("It is not wanted any more.");
}

async function untilCoresAnswer(asking: Asking): Promise<void> {
  const { endpoint, cores } = asking;
  const end = Date.now() + startLimit;
  for (; Date.now() < end; await waitOn(asking)) {
    const text = await ask("admin/cores?action=STATUS&indexInfo=false&wt=json", endpoint);
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
  throw new NotStarted(`It did not answer within ${startLimit / 1000} s.`);
}

/**
 * After a kill: however long it takes, since what was broken off would only have to be done again by the next
 * start.
 */
async function untilReplayed(asking: Asking, report: (line: string) => void): Promise<void> {
  const path = updateLogPath(asking.cores);
  let told = false;
  for (; ; await waitOn(asking)) {
    const text = await ask(path, asking.endpoint);
    if (text === undefined) continue;
    if (!isReplaying(text)) return;
    if (!told) report("Solr was killed; it takes in what had not come to its index yet.");
    told = true;
  }
}

interface CoresStatus {
  readonly initFailures?: Readonly<Record<string, string>>;
  readonly status?: Readonly<Record<string, { readonly name?: string }>>;
}

/** The text of a success. */
async function ask(path: string, endpoint: SolrEndpoint): Promise<string | undefined> {
  const [place = "", query = ""] = path.split("?");
  const url = solrUrl(endpoint, place);
  url.search = query;
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(10_000);
    response = await fetch(url, { headers: authorization(endpoint), signal });
    text = await response.text();
  } catch {
    // Not listening yet.
    return undefined;
  }
  // Jetty stays up when Solr inside it has failed, and then answers every request so.
  if (text.includes("CoreContainer has shut down")) throw new NotStarted("It shut itself down.");
  if (response.status === 401) throw new NotStarted("Another Solr answers at its port.");
  return response.ok ? text : undefined;
}
