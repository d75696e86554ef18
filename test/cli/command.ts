/** Runs the compiled command line as people do: a process of its own, settings in the environment. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { packagePath } from "../../src/platform/package-root.js";
import { runHere as here } from "../support/service/command-here.js";
import { testEndpoint } from "../support/service/service.js";

export const MAIN = packagePath("dist", "src", "main.js");

let isBuilt = false;

/** Compiles the command line if it is older than its sources. The functions below do this themselves. */
export function build(): void {
  if (isBuilt) return;
  const script = packagePath("scripts", "setup.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The build failed:\n${stdout}${stderr}`);
  isBuilt = true;
}

const SETTINGS = [
  "HOST",
  "PORT",
  "BASE_URL",
  "DATA_DIR",
  "DATA_ROOTS",
  "CORS_ORIGINS",
  "LOG_LEVEL",
  "STATE_KEY",
  "SOLR_URL",
  "SOLR_USER",
  "SOLR_PASSWORD",
  "SOLR_COLLECTION_PREFIX",
  "SOLR_TIMEOUT_MS",
  "SOLR_HEAP",
  "WORKERS",
  "AUDIT",
  "AUDIT_DAYS",
  "AUDIT_KEY",
  "METRICS_PORT",
];

export type Settings = Readonly<Record<string, string>>;

/** The state key in the run's Solr, whose state outlives the data folder of a service. */
export const STATE_KEY = Buffer.alloc(32, "state key of tests").toString("base64url");

/** This process's environment with no settings but these; a port that is free. */
function environment(settings: Settings): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !SETTINGS.includes(name));
  return {
    ...Object.fromEntries(inherited),
    PORT: "0",
    CHECK_REPLIES: "1",
    ...(settings.SOLR_URL !== undefined && { STATE_KEY }),
    ...settings,
  };
}

/** The settings that lead to the test run's Solr. */
export function testSolrSettings(): Settings {
  const { urls, user = "", password = "", prefix = "" } = testEndpoint();
  return {
    SOLR_URL: urls.join(","),
    SOLR_USER: user,
    SOLR_PASSWORD: password,
    SOLR_COLLECTION_PREFIX: prefix,
  };
}

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

export interface RunOptions {
  readonly settings?: Settings;
  /** Goes to standard input. */
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  /** Another build of the command line. */
  readonly main?: string;
  /** A command under which it runs, such as `setpriv`. */
  readonly under?: readonly string[];
}

class Output {
  stdout = "";
  stderr = "";
  constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      this.stderr += text;
    });
  }
}

/** Runs a command to its end. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  build();
  const begin = performance.now();
  const [command = "", ...before] = [...(options.under ?? []), process.execPath];
  const child = spawn(command, [...before, options.main ?? MAIN, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: environment(options.settings ?? {}),
  });
  const output = new Output(child);
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  const [status, signal] = await once(child, "close");
  const { stdout, stderr } = output;
  return { status, signal, stdout, stderr, milliseconds: performance.now() - begin };
}

/** The same within this process, for commands that need no process of their own: it takes a tenth of the time. */
export async function runHere(
  args: readonly string[],
  { settings = {}, input = "", cwd = tmpdir() }: Omit<RunOptions, "main" | "under"> = {},
): Promise<Ended> {
  const begin = performance.now();
  const outcome = await here(args, { env: environment(settings), cwd, input });
  return { ...outcome, signal: null, milliseconds: performance.now() - begin };
}

/** A service that runs. */
export class Serving {
  readonly #output: Output;
  readonly #closed: Promise<unknown[]>;
  readonly begin = performance.now();
  /** Milliseconds from the start to the line that says it listens. */
  startMs = 0;
  address = "";

  private constructor(readonly child: ChildProcess) {
    this.#output = new Output(child);
    this.#closed = once(child, "close");
  }

  /** Starts a service, and waits until it listens or a line of its output matches `until`. */
  static async start(
    settings: Settings,
    until = /^Listening on (\S+)$/m,
    under: readonly string[] = [],
  ): Promise<Serving> {
    build();
    const [command = "", ...before] = [...under, process.execPath];
    const child = spawn(command, [...before, MAIN, "serve"], {
      cwd: tmpdir(),
      env: environment(settings),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const serving = new Serving(child);
    const ended = serving.#closed.then(() => "ended");
    for (;;) {
      const found = until.exec(serving.output);
      if (found) {
        serving.address = found[1] ?? "";
        serving.startMs = performance.now() - serving.begin;
        return serving;
      }
      const pause = new Promise((resolve) => setTimeout(resolve, 20));
      if ((await Promise.race([pause, ended])) === "ended") {
        throw new Error(`The service ended:\n${serving.output}`);
      }
    }
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** All it printed. */
  get output(): string {
    return this.#output.stdout + this.#output.stderr;
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    const begin = performance.now();
    this.child.kill(signal);
    const [status, by] = (await this.#closed) as [number | null, NodeJS.Signals | null];
    const { stdout, stderr } = this.#output;
    return { status, signal: by, stdout, stderr, milliseconds: performance.now() - begin };
  }

  get(path: string, init?: RequestInit): Promise<Response> {
    return fetch(`${this.address}/api/climate-nextgen${path}`, init);
  }

  /** Locations that a data-search of all versions gives. */
  async list(query = ""): Promise<string[]> {
    const path = `/databrowser/data-search/native/file?multi-version=true${query}`;
    const response = await this.get(path);
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.text()).split("\n").slice(0, -1);
  }
}

export interface ProcessText {
  readonly pid: number;
  /** Its arguments and, where the system shows them, its environment. */
  readonly args: string;
  readonly environment: string;
}

/** The processes whose arguments hold a text. */
export function processesWith(text: string): ProcessText[] {
  return allProcesses().filter(({ args }) => args.includes(text));
}

function allProcesses(): ProcessText[] {
  if (process.platform !== "linux") {
    const rows = execFileSync("ps", ["-axww", "-o", "pid=,stat=,command="], { encoding: "utf8" });
    return rows.split("\n").flatMap((row) => {
      const [, pid, state, args = ""] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? [];
      if (state === undefined || state.startsWith("Z")) return [];
      return { pid: Number(pid), args, environment: "" };
    });
  }
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const args = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      const environment = readFileSync(`/proc/${name}/environ`, "utf8");
      return { pid: Number(name), args, environment };
    } catch {
      // It has ended, or is another's.
      return [];
    }
  });
}

/** The Java of a data folder's Solr. */
export function javaOf(dataDir: string): number[] {
  const all = processesWith(`-Dsolr.log.dir=${dataDir}`);
  return all.filter(({ args }) => !args.includes("keeper.sh")).map(({ pid }) => pid);
}

/** What is said in exactly one line, without its end. */
export function oneLine(text: string): string {
  const [line = "", ...rest] = text.split("\n");
  if (rest.length !== 1 || rest[0] !== "") throw new Error(`Not one line:\n${text}`);
  return line;
}
