import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { access, copyFile, open, rename, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { packagePath } from "../package-root.js";
import { makePrivateFolder, writePrivateFile } from "../private-files.js";
import { configsetOf } from "./configset.js";
import { solrJars } from "./download.js";
import { authorization, type SolrEndpoint, solrUrl } from "./endpoint.js";
import { javaCommand } from "./java.js";
import { type Lock, lockDataDir } from "./lock.js";
import { solrPassword, solrUser, writeSecurity } from "./password.js";
import { identify, isRunning } from "./process-identity.js";
import { forgetRunning, type RunningSolr, readRunning, rememberRunning } from "./running.js";
import { SetupError } from "./setup-error.js";

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

const defaultCores = ["files", "latest", "state"];
/** A start takes 3 to 6 s; a loaded machine may need many times as much. */
const startLimit = 120_000;

/**
 * Starts the embedded Solr of a data folder and waits until its cores answer. `ensureSolrJars` comes first.
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
  const endpoint = { url, user: solrUser, password };
  options.report("Starting Apache Solr.");
  const logStart = await sizeOf(join(folder, "logs", "solr.log"));
  const server = await launch(folder, javaArguments(folder, port, options.heap));
  try {
    await rememberRunning(folder, { ...server.running, url: url.href, ready: false });
    await untilCoresAnswer(endpoint, cores, server);
    await rememberRunning(folder, { ...server.running, url: url.href, ready: true });
  } catch (cause) {
    await server.stop();
    await forgetRunning(folder);
    if (!(cause instanceof NotStarted)) throw cause;
    throw new SetupError(await describeFailure(cause.message, folder, logStart));
  }
  return {
    endpoint,
    pid: server.running.pid,
    onExit: server.onExit,
    stop: async () => {
      await server.stop();
      await forgetRunning(folder);
    },
  };
}

/** A service that was killed leaves a Solr that takes some seconds to end; its index is locked until then. */
async function outlivePredecessor(folder: string, report: (line: string) => void): Promise<void> {
  const before = await readRunning(folder);
  if (before === undefined || !(await isRunning(before))) return;
  report(`Waiting for the Solr of an earlier run (process ${before.pid}) to end.`);
  if (await endsWithin(before, 12_000)) return;
  // Its keeper was killed as well. We hold the data folder's lock, so nobody uses it.
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    kill(before.pid, signal);
    if (await endsWithin(before, 10_000)) return;
  }
  throw new SetupError(`Process ${before.pid}, an earlier Solr of ${folder}, cannot be ended.`);
}

async function endsWithin(running: RunningSolr, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (await isRunning(running)) {
    if (Date.now() > end) return false;
    await sleep(100);
  }
  return true;
}

async function prepareHome(
  home: string,
  cores: readonly string[],
  password: string,
): Promise<void> {
  await makePrivateFolder(home);
  await copyFile(packagePath("solr", "solr.xml"), join(home, "solr.xml"));
  await writeSecurity(home, solrUser, password);
  for (const name of cores) {
    await makePrivateFolder(join(home, name));
    const properties = join(home, name, "core.properties");
    if (await exists(properties)) continue;
    // The configset is read where it lies (solr.xml); the seed makes this core's ETags its own.
    const seed = randomBytes(9).toString("hex");
    const lines = [`name=${name}`, `configSet=${configsetOf(name)}`, `etag.seed=${seed}`, ""];
    await writePrivateFile(properties, lines.join("\n"));
  }
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

function javaArguments(folder: string, port: number, heap: string): string[] {
  const home = join(folder, "home");
  const logs = join(folder, "logs");
  const properties = {
    "jetty.host": "127.0.0.1",
    "jetty.port": port,
    "solr.solr.home": home,
    "solr.install.dir": folder,
    "solr.log.dir": logs,
    "solr.webapp.dir": packagePath("solr", "webapp"),
    "climate.configsets": packagePath("solr"),
    "climate.start": randomBytes(6).toString("hex"),
    "log4j.configurationFile": packagePath("solr", "log4j2.xml"),
    "log4j2.disableJmx": true,
    // Neither the schema nor the configuration can be changed over HTTP.
    "disable.configEdit": true,
    "java.io.tmpdir": join(folder, "tmp"),
    "java.awt.headless": true,
    "user.timezone": "UTC",
  };
  return [
    `-Xmx${heap}`,
    "-XX:+UseG1GC",
    "-XX:+ExitOnOutOfMemoryError",
    `-XX:ErrorFile=${join(logs, "crash-%p.log")}`,
    ...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`),
    "-cp",
    join(solrJars(), "*"),
    "org.eclipse.jetty.xml.XmlConfiguration",
    packagePath("solr", "jetty.xml"),
  ];
}

/** Solr reads variables such as SOLR_PORT and ZK_HOST as settings of its own: only harmless ones go on. */
function javaEnvironment(): Record<string, string> {
  const names = ["PATH", "HOME", "LANG", "LC_ALL", "JAVA_HOME", "JAVA_TOOL_OPTIONS"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

interface Server {
  readonly running: Pick<RunningSolr, "pid" | "started">;
  readonly ended: () => string | undefined;
  readonly onExit: EmbeddedSolr["onExit"];
  readonly stop: () => Promise<void>;
}

async function launch(folder: string, args: readonly string[]): Promise<Server> {
  const keeper = spawn(
    "/bin/sh",
    [packagePath("solr", "keeper.sh"), join(folder, "logs", "java.log"), javaCommand(), ...args],
    {
      cwd: folder,
      env: javaEnvironment(),
      // A session of its own: Ctrl-C in the terminal reaches the service, which then stops Solr in order.
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    },
  );
  keeper.stdin.on("error", () => {});
  const exit = watchExit(keeper);
  const running = await identify(await readPid(keeper));
  // The keeper alone was killed: Java must not stay behind.
  exit.then(
    () =>
      running !== undefined && isRunning(running).then((is) => is && kill(running.pid, "SIGTERM")),
  );
  let ended: string | undefined;
  let stopping = false;
  const callbacks: ((reason: string) => void)[] = [];
  exit.then((reason) => {
    ended = reason;
    if (!stopping) for (const callback of callbacks) callback(reason);
  });
  return {
    running: running ?? { pid: 0, started: "" },
    ended: () => ended,
    onExit: (callback) => {
      if (ended !== undefined && !stopping) callback(ended);
      else callbacks.push(callback);
    },
    stop: async () => {
      stopping = true;
      keeper.stdin.destroy();
      await exit;
      if (running !== undefined && (await isRunning(running))) {
        if (!(await endsWithin({ ...running, url: "", ready: false }, 10_000)))
          kill(running.pid, "SIGKILL");
      }
    },
  };
}

function watchExit(keeper: ChildProcess): Promise<string> {
  return new Promise((done) => {
    keeper.once("error", (cause) => done(`Solr could not be started: ${cause.message}.`));
    keeper.once("exit", (code, signal) => done(`Solr ended (${signal ?? `status ${code}`}).`));
  });
}

/** The first line the keeper prints; 0 when it ends before. */
async function readPid(keeper: ChildProcess): Promise<number> {
  if (keeper.stdout === null) return 0;
  for await (const line of createInterface({ input: keeper.stdout })) return Number(line);
  return 0;
}

/** Why Solr is not there, without the log. */
class NotStarted extends Error {}

async function untilCoresAnswer(
  endpoint: SolrEndpoint,
  cores: readonly string[],
  server: Server,
): Promise<void> {
  const url = solrUrl(endpoint, "admin/cores");
  url.search = "action=STATUS&indexInfo=false&wt=json";
  const end = Date.now() + startLimit;
  while (Date.now() < end) {
    const ended = server.ended();
    if (ended !== undefined) throw new NotStarted(ended);
    const answer = await ask(url, endpoint);
    if (answer !== undefined) {
      const failed = cores.find((name) => answer.initFailures?.[name] !== undefined);
      if (failed !== undefined) {
        throw new NotStarted(
          `Its core ${failed} cannot be opened: ${answer.initFailures?.[failed]}`,
        );
      }
      if (cores.every((name) => answer.status?.[name]?.name !== undefined)) return;
    }
    await sleep(100);
  }
  throw new NotStarted(`It did not answer within ${startLimit / 1000} s.`);
}

interface CoresStatus {
  readonly initFailures?: Readonly<Record<string, string>>;
  readonly status?: Readonly<Record<string, { readonly name?: string }>>;
}

async function ask(url: URL, endpoint: SolrEndpoint): Promise<CoresStatus | undefined> {
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
  return response.ok ? (JSON.parse(text) as CoresStatus) : undefined;
}

/** One paragraph: what happened, the last errors in the logs, where the logs are. */
async function describeFailure(what: string, folder: string, logStart: number): Promise<string> {
  const logs = join(folder, "logs");
  const lines = [
    ...(await linesFrom(join(logs, "solr.log"), logStart)).filter((line) => / ERROR /.test(line)),
    ...(await linesFrom(join(logs, "java.log"), 0)).filter(
      (line) => !/^\s+at |^WARNING/.test(line),
    ),
  ];
  const shown = lines.slice(-5).map((line) => `\n  ${line.slice(0, 400)}`);
  return `Solr did not start. ${what} Its logs are in ${logs}${shown.length > 0 ? `:${shown.join("")}` : "."}`;
}

async function linesFrom(path: string, offset: number): Promise<string[]> {
  try {
    const file = await open(path, "r");
    try {
      // The beginning of what went wrong is in the first part; a rolled file starts anew.
      const { size } = await file.stat();
      const buffer = Buffer.alloc(Math.min(200_000, size));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, size < offset ? 0 : offset);
      return buffer
        .toString("utf8", 0, bytesRead)
        .split("\n")
        .filter((line) => line.trim() !== "");
    } finally {
      await file.close();
    }
  } catch {
    return [];
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
