/** One node of a SolrCloud, or its ZooKeeper: a process that can be killed, stopped for a while and started again. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { archiveOptions } from "../../../src/index/embedded/class-archive.js";
import { solrJars } from "../../../src/index/embedded/download.js";
import { javaCommand } from "../../../src/index/embedded/java.js";
import {
  javaArguments,
  launchSolr,
  type SolrProcess,
} from "../../../src/index/embedded/solr-process.js";
import {
  authorization,
  type SolrEndpoint,
  solrUrl,
} from "../../../src/index/transport/endpoint.js";
import { packagePath } from "../../../src/platform/package-root.js";
import {
  endsWithin,
  isRunning,
  signalProcess,
} from "../../../src/platform/processes/process-identity.js";
import { freePort, portIfFree } from "../network/free-port.js";

/** Milliseconds; a loaded machine may need many times what a quiet one does. */
const START_LIMIT = 120_000;

export interface Member {
  readonly port: number;
  /** The folder of its logs and of what it keeps. */
  readonly folder: string;
  /** Java's process number. @throws while it does not run */
  pid(): number;
  /** Starts it, on the same port and folder each time, and waits until it answers. @throws with its log if it does not */
  start(): Promise<void>;
  /** SIGKILL; it has ended when this is settled. */
  kill(): Promise<void>;
  /** SIGSTOP: its connections stay open, and nothing answers. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
}

interface Recipe {
  readonly folder: string;
  readonly port: number;
  readonly arguments: () => Promise<readonly string[]>;
  readonly answers: () => Promise<boolean>;
}

/** A process under solr/keeper.sh, which ends it when this one ends, however that is. */
function member({ folder, port, arguments: read, answers }: Recipe): Member {
  let running: SolrProcess | undefined;
  const identity = () => {
    if (running?.identity === undefined) throw new Error(`${folder} is not running`);
    return running.identity;
  };
  return {
    folder,
    port,
    pid: () => identity().pid,
    start: async () => {
      const process = await launchSolr(folder, await read());
      running = process;
      const end = Date.now() + START_LIMIT;
      while (!(await answers())) {
        const log = () => readFile(join(folder, "logs", "java.log"), "utf8");
        if (process.ended() !== undefined) throw new Error(`${process.ended()}\n${await log()}`);
        if (Date.now() > end) throw new Error(`${folder} does not answer\n${await log()}`);
        await sleep(100);
      }
    },
    kill: async () => {
      const process = running;
      running = undefined;
      if (process?.identity === undefined || !(await isRunning(process.identity))) return;
      signalProcess(process.identity.pid, "SIGKILL");
      if (!(await endsWithin(process.identity, 10_000))) throw new Error(`${folder} does not end`);
      await process.stop();
    },
    pause: () => signalProcess(identity().pid, "SIGSTOP"),
    resume: () => signalProcess(identity().pid, "SIGCONT"),
  };
}

/** Code that is compiled well would come too late for processes that live for seconds or minutes. */
const SHORT_LIVED = "-XX:TieredStopAtLevel=1";

/** A ZooKeeper by itself. A node that is killed is known to be gone when its session ends. */
export async function zooKeeper(folder: string): Promise<Member> {
  const port = await freePort();
  await mkdir(join(folder, "logs"), { recursive: true });
  const settings = {
    // Sessions last 2 to 20 ticks.
    tickTime: 500,
    dataDir: join(folder, "data"),
    clientPort: port,
    clientPortAddress: "127.0.0.1",
    maxClientCnxns: 0,
    "admin.enableServer": false,
    // Nothing is to outlive the machine.
    forceSync: "no",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, "zoo.cfg"), lines.join(""));
  const main = "org.apache.zookeeper.server.ZooKeeperServerMain";
  return member({
    folder,
    port,
    arguments: async () => [
      "-Xmx64m",
      "-XX:+UseSerialGC",
      SHORT_LIVED,
      `-Dsolr.log.dir=${join(folder, "logs")}`,
      `-Dlog4j.configurationFile=${packagePath("solr", "log4j2.xml")}`,
      "-Dlog4j2.disableJmx=true",
      "-Dzookeeper.jmx.log4j.disable=true",
      "-cp",
      join(solrJars(), "*"),
      main,
      join(folder, "zoo.cfg"),
    ],
    answers: async () => (await portIfFree(port)) === 0,
  });
}

/** Milliseconds without a sign of life after which ZooKeeper takes a node for gone. */
const SESSION = 3_000;

/** Puts a file into a ZooKeeper, where Solr's nodes look for it by its name. */
export async function putFile(zkPort: number, path: string): Promise<void> {
  const properties = [`-Dsolr.log.dir=${dirname(path)}`, "-Dlog4j2.disableJmx=true"];
  const log4j = `-Dlog4j.configurationFile=${packagePath("solr", "log4j2.xml")}`;
  const what = ["-cmd", "putfile", `/${basename(path)}`, path];
  const java = [...properties, log4j, SHORT_LIVED, "-cp", join(solrJars(), "*")];
  const address = ["-zkhost", `127.0.0.1:${zkPort}`];
  const main = "org.apache.solr.cloud.ZkCLI";
  await promisify(execFile)(javaCommand(), [...java, main, ...address, ...what]);
}

interface NodeOptions {
  /** As Java takes it. */
  readonly heap: string;
  readonly user: Pick<SolrEndpoint, "user" | "password">;
  readonly allowPaths?: string | undefined;
}

/** A node of the SolrCloud whose ZooKeeper is at `zkPort`. */
export async function solrNode(
  folder: string,
  zkPort: number,
  { heap, user, allowPaths }: NodeOptions,
): Promise<Member> {
  const port = await freePort();
  for (const name of ["home", "logs", "tmp"]) await mkdir(join(folder, name), { recursive: true });
  await copyFile(packagePath("solr", "solr.xml"), join(folder, "home", "solr.xml"));
  const properties = {
    zkHost: `127.0.0.1:${zkPort}`,
    zkClientTimeout: SESSION,
    host: "127.0.0.1",
    "solr.port.advertise": port,
    "solr.http1": true,
    // What has expired in the state is swept away sooner than a test would wait for.
    "climate.state.sweep": 2,
    ...(allowPaths !== undefined && { "solr.allowPaths": allowPaths }),
  };
  return member({
    folder,
    port,
    arguments: async () => [
      ...(await archiveOptions()),
      ...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`),
      SHORT_LIVED,
      ...javaArguments(folder, port, heap),
    ],
    answers: () => isLive({ urls: [new URL(`http://127.0.0.1:${port}/solr`)], ...user }),
  });
}

/** Whether the node is up and ZooKeeper knows that it lives. */
async function isLive(endpoint: SolrEndpoint): Promise<boolean> {
  const url = solrUrl(endpoint, "admin/collections");
  url.search = "action=CLUSTERSTATUS&wt=json";
  try {
    const response = await fetch(url, {
      headers: authorization(endpoint),
      signal: AbortSignal.timeout(10_000),
    });
    const { cluster } = (await response.json()) as { cluster?: { live_nodes?: string[] } };
    return cluster?.live_nodes?.includes(`${url.host}_solr`) === true;
  } catch {
    return false;
  }
}
