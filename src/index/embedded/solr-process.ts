import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { packagePath } from "../../platform/package-root.js";
import {
  endsWithin,
  identify,
  isRunning,
  type ProcessIdentity,
  signalProcess,
} from "../../platform/processes/process-identity.js";
import { solrJars } from "./download.js";
import { javaCommand } from "./java.js";

/** The arguments of Java. They contain no secrets, because everybody on the machine can read them. */
export function javaArguments(
  folder: string,
  port: number,
  heap: string,
  configsets = packagePath("solr"),
): string[] {
  const home = join(folder, "home");
  const logs = join(folder, "logs");
  const properties = {
    "jetty.host": "127.0.0.1",
    "jetty.port": port,
    "solr.solr.home": home,
    "solr.install.dir": folder,
    "solr.log.dir": logs,
    "solr.webapp.dir": packagePath("solr", "webapp"),
    "climate.configsets": configsets,
    "climate.start": randomBytes(6).toString("hex"),
    "log4j.configurationFile": packagePath("solr", "log4j2.xml"),
    "log4j2.disableJmx": true,
    // Forbids changes of the schema and the configuration over HTTP.
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

/** The environment of Java. Solr reads variables such as SOLR_PORT and ZK_HOST, so only harmless ones are passed on. */
function javaEnvironment(): Record<string, string> {
  const names = ["PATH", "HOME", "LANG", "LC_ALL", "JAVA_HOME", "JAVA_TOOL_OPTIONS"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export interface SolrProcess {
  /** The process of Java; undefined if it ended at once. */
  readonly identity: ProcessIdentity | undefined;
  /** A sentence about its end; undefined while it runs. */
  readonly ended: () => string | undefined;
  /** Calls back once if it ends without `stop`. */
  readonly onExit: (callback: (reason: string) => void) => void;
  readonly stop: () => Promise<void>;
}

/** Starts Java under solr/keeper.sh, which stops it when this process ends. */
export async function launchSolr(folder: string, args: readonly string[]): Promise<SolrProcess> {
  const keeper = spawn(
    "/bin/sh",
    [packagePath("solr", "keeper.sh"), join(folder, "logs", "java.log"), javaCommand(), ...args],
    {
      cwd: folder,
      env: javaEnvironment(),
      // Its own session: Ctrl-C in the terminal reaches only the service, which then stops Solr in order.
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    },
  );
  const exit = watchExit(keeper);
  // Without free descriptors, the keeper has no streams.
  keeper.stdin?.on("error", () => {});
  const identity = await identify(await readPid(keeper));
  let ended: string | undefined;
  let stopping = false;
  const callbacks: ((reason: string) => void)[] = [];
  void exit.then(async (reason) => {
    ended = reason;
    if (!stopping) for (const callback of callbacks) callback(reason);
    // Only the keeper was killed. Java must not keep running.
    if (identity !== undefined && (await isRunning(identity)))
      signalProcess(identity.pid, "SIGTERM");
  });
  return {
    identity,
    ended: () => ended,
    onExit: (callback) => {
      if (ended === undefined) callbacks.push(callback);
      else if (!stopping) callback(ended);
    },
    stop: async () => {
      stopping = true;
      keeper.stdin?.destroy();
      await exit;
      if (identity === undefined || (await endsWithin(identity, 10_000))) return;
      signalProcess(identity.pid, "SIGKILL");
      await endsWithin(identity, 5_000);
    },
  };
}

function watchExit(keeper: ChildProcess): Promise<string> {
  return new Promise((done) => {
    keeper.once("error", (cause) => done(`Solr could not be started: ${cause.message}.`));
    keeper.once("exit", (code, signal) => done(`Solr ended (${signal ?? `status ${code}`}).`));
  });
}

/** The first line that the keeper prints, the number of Java's process; 0 if the keeper ends before. */
async function readPid(keeper: ChildProcess): Promise<number> {
  if (!keeper.stdout) return 0;
  for await (const line of createInterface({ input: keeper.stdout })) return Number(line);
  return 0;
}
