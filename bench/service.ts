/** Runs the real service and its Solr, as a process with its own data folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findRunningSolr, readRunning } from "../src/index/embedded/running.js";
import { packagePath } from "../src/platform/package-root.js";
import { RawSolr } from "./raw-solr.js";

/** Clock ticks a second, which is fixed on Linux. */
const TICKS = 100;
const API = "/api/climate-nextgen/databrowser";

export type Query = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

export class Service {
  private constructor(
    private readonly process: ChildProcess,
    private readonly env: NodeJS.ProcessEnv,
    private readonly address: string,
    readonly solr: RawSolr,
    private readonly main: string,
  ) {}

  /**
   * Starts a service with an empty index.
   *
   * @param settings additional environment variables
   * @param root root of the package, which may be another release
   */
  static async start(
    dataDir: string,
    settings: Readonly<Record<string, string>> = {},
    root = packagePath(),
  ): Promise<Service> {
    const main = join(root, "dist", "src", "main.js");
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // This marker prevents that the first start loads the sample catalogue.
    await writeFile(join(dataDir, "sample-loaded"), "");
    const { SOLR_URL: _, ...rest } = process.env;
    const env = {
      ...rest,
      DATA_DIR: dataDir,
      HOST: "127.0.0.1",
      PORT: String(await freePort()),
      LOG_LEVEL: "warn",
      ...settings,
    };
    const service = spawn(process.execPath, [main, "serve"], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await listening(service);
    const endpoint = await findRunningSolr(dataDir);
    if (endpoint === undefined) throw new Error("the service runs, but its Solr is not found");
    const address = `http://127.0.0.1:${env.PORT}${API}`;
    return new Service(service, env, address, new RawSolr(endpoint), main);
  }

  /** @param query by name, or as pairs if a name occurs more than once */
  url(path: string, query: Query = {}): string {
    const pairs = Array.isArray(query) ? query : Object.entries(query);
    const text = new URLSearchParams(pairs).toString();
    return `${this.address}/${path}${text && "?"}${text}`;
  }

  /** Runs the command `index`; returns its milliseconds, including the start of the process. */
  async index(file: string): Promise<number> {
    return (await this.command(["index", file])).whole;
  }

  /** Runs a command while the service runs; also returns its standard error. */
  async command(args: readonly string[]): Promise<{ whole: number; stderr: string }> {
    const start = performance.now();
    const command = spawn(process.execPath, [this.main, ...args], {
      env: this.env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    command.stderr.on("data", (piece) => {
      stderr += piece;
    });
    const [code] = await once(command, "close");
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${stderr.slice(-2000)}`);
    return { whole: performance.now() - start, stderr };
  }

  /** Adds a user, and returns an access token for it. */
  async token(): Promise<string> {
    const password = randomUUID();
    const parameters = ["users", "add", "bench", "--email", "b@example.org", "--password-stdin"];
    spawnSync(process.execPath, [this.main, ...parameters], { env: this.env, input: password });
    const response = await fetch(this.url("").replace(/databrowser.*/, "auth/v2/token"), {
      method: "POST",
      body: new URLSearchParams({ username: "bench", password }),
    });
    if (!response.ok) throw new Error(`no token: ${await response.text()}`);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  /** Resident memory in kB: now, and its peak since `resetPeak` (proc_pid_status(5)). */
  async memory(): Promise<{ now: number; peak: number }> {
    return memoryOf(this.process.pid ?? 0);
  }

  /** Resets the peak to the current resident memory (proc_pid_clear_refs(5)). */
  async resetPeak(): Promise<void> {
    await writeFile(`/proc/${this.process.pid}/clear_refs`, "5");
  }

  cpuSeconds(): Promise<number> {
    return exactCpuSecondsOf(this.process.pid ?? 0);
  }

  /** Of its Solr, which is a process of its own. */
  async solrCpuSeconds(): Promise<number> {
    const running = await readRunning(join(this.env.DATA_DIR ?? "", "solr"));
    return cpuSecondsOf(running?.pid ?? 0);
  }

  async stop(): Promise<void> {
    const ended = once(this.process, "exit");
    this.process.kill("SIGTERM");
    await ended;
  }
}

async function listening(service: ChildProcess): Promise<void> {
  if (service.stdout === null) throw new Error("the service has no output");
  const lines = createInterface({ input: service.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => line.startsWith("Listening on ") && resolve());
    service.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
  });
}

/** Resident memory of a process in kB: now, and at its peak (proc_pid_status(5)). */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** Seconds of processor time used by a process, to the nanosecond; its threads must live as long as it does (proc(5)). */
export async function exactCpuSecondsOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const texts = threads.map((one) => readFile(`/proc/${pid}/task/${one}/schedstat`, "utf8"));
  const each = (await Promise.all(texts)).map((text) => Number.parseInt(text, 10) / 1e9);
  return each.reduce((sum, seconds) => sum + seconds, 0);
}

/** Seconds of processor time used by a process, in steps of 10 ms (proc_pid_stat(5)). */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
