/**
 * What one machine can show of several: a SolrCloud with the sample, and instances of the service, which are processes with
 * data folders of their own, behind one address.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { packagePath } from "../../../src/platform/package-root.js";
import { freePort } from "../network/free-port.js";
import { freshFolder } from "../run/folders.js";
import { startForwarder } from "../service/forwarder.js";
import { type SolrCloud, startSolrCloud } from "./solr-cloud.js";

export type Settings = Readonly<Record<string, string>>;

export interface CloudService {
  /** Of all instances, without the prefix of the API. */
  readonly address: string;
  readonly cloud: SolrCloud;
  /** The settings that all instances and the commands share. */
  readonly settings: Settings;
  readonly instances: readonly Instance[];
  stop(): Promise<void>;
}

export interface Instance {
  readonly address: string;
  readonly dataDir: string;
  /** @throws while it does not run */
  pid(): number;
  /** Starts it, on the same port and folder each time. */
  start(): Promise<void>;
  /** Ends it and waits for that. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface CloudServiceOptions {
  readonly nodes?: number;
  /** Of `files`. */
  readonly shards?: number;
  /** Of every shard. */
  readonly replicas?: number;
  readonly instances?: number;
  /** Of the address before the instances; any free one where it is left out. */
  readonly port?: number;
  /** More settings of every instance. */
  readonly settings?: Settings;
  /** Gets one line a step. */
  readonly report?: (line: string) => void;
}

/** The command line is compiled before. Everything ends with this process, however that ends. */
export async function startCloudService(options: CloudServiceOptions = {}): Promise<CloudService> {
  const { nodes = 3, shards = 2, replicas = 2, report = () => {} } = options;
  const folder = freshFolder();
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const forwarder = await startForwarder(options.port);
    stops.push(forwarder.close);
    report(`Starting ZooKeeper and ${nodes} nodes of Solr`);
    const cloud = await startSolrCloud({ nodes });
    stops.push(cloud.stop);
    const settings = {
      SOLR_URL: cloud.endpoint.urls.map(({ href }) => href).join(","),
      BASE_URL: forwarder.address,
      STATE_KEY: randomBytes(32).toString("base64url"),
      ...options.settings,
    };
    const command = async (...args: string[]) => {
      report(`climate-nextgen ${args.join(" ")}`);
      const env = environment({ ...settings, DATA_DIR: folder });
      await promisify(execFile)(process.execPath, [MAIN, ...args], { env });
    };
    await command("solr", "setup", "--shards", String(shards), "--replicas", String(replicas));
    await command("index", packagePath("data", "catalogue.jsonl"));
    const instances: Instance[] = [];
    for (let i = 0; i < (options.instances ?? 2); i++) {
      const dataDir = join(folder, `instance-${i}`);
      const one = instance(await freePort(), dataDir, settings, report);
      report(`Starting an instance at ${one.address}`);
      await one.start();
      stops.push(() => one.end("SIGKILL"));
      instances.push(one);
    }
    forwarder.to(instances.map(({ address }) => Number(new URL(address).port)));
    return { address: forwarder.address, cloud, settings, instances, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const MAIN = packagePath("dist", "src", "main.js");

/** This process's environment without the settings that it would otherwise have from it. */
function environment(settings: Settings): NodeJS.ProcessEnv {
  const { HOST: _, PORT: __, SOLR_USER: ___, SOLR_PASSWORD: ____, ...rest } = process.env;
  return { ...rest, LOG_LEVEL: "warn", ...settings };
}

function instance(
  port: number,
  dataDir: string,
  settings: Settings,
  report: (line: string) => void,
): Instance {
  let running: ChildProcess | undefined;
  const own = { HOST: "127.0.0.1", PORT: String(port), DATA_DIR: dataDir };
  // What npx has started ends with it; here with this process, also when that is killed.
  const env = environment({ ...settings, ...own, npm_lifecycle_event: "npx" });
  return {
    address: `http://127.0.0.1:${port}`,
    dataDir,
    pid: () => {
      if (running?.pid === undefined) throw new Error(`no instance runs at port ${port}`);
      return running.pid;
    },
    start: async () => {
      const stdio = ["ignore", "pipe", "inherit"] as const;
      running = spawn(process.execPath, [MAIN, "serve"], { env, stdio: [...stdio] });
      await listening(running, report);
    },
    end: async (signal) => {
      const ending = running;
      running = undefined;
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = once(ending, "exit");
      ending.kill(signal);
      await ended;
    },
  };
}

/** Waits until it listens; tells of the first user, whose password is shown only once. */
async function listening(instance: ChildProcess, report: (line: string) => void): Promise<void> {
  if (instance.stdout === null) throw new Error("an instance has no output");
  const lines = createInterface({ input: instance.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => {
      if (line.includes("username demo")) report(line.trim());
      if (line.startsWith("Listening on ")) resolve();
    });
    instance.once("exit", (code) => reject(new Error(`an instance ended with ${code}`)));
  });
}
