/** Probes many files without opening them, with a timeout for file systems that hang. */
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../platform/errors.js";
import { openEnvironment } from "../../platform/scrubbed-environment.js";
import type { ProbeRequest, ProbeResult } from "./inspect-process.js";

/** Paths probed at a time: network file systems mostly wait. */
const AT_ONCE = 16;
/** Paths in one request. */
const MAX_PATHS = 2000;
/** After this many silent folders, the whole mount counts as silent. */
const MAX_SILENT = 3;

const PROCESS = fileURLToPath(new URL("./inspect-process.js", import.meta.url));

export class PathProber {
  readonly #patience: number;
  readonly #mounts = mounts();
  /** Folders and mounts that did not answer. */
  readonly #silent = new Set<string>();
  readonly #silentOfMount = new Map<string, number>();
  #child: ChildProcess | undefined;

  /** @param patience milliseconds within which a file system must answer */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** The results, in the order of the paths. */
  async probe(paths: readonly string[]): Promise<ProbeResult[]> {
    const all: ProbeResult[] = [];
    for (let from = 0; from < paths.length; from += MAX_PATHS) {
      all.push(...(await this.#probeSome(paths.slice(from, from + MAX_PATHS))));
    }
    return all;
  }

  /** The silent folder or mount of a path, for reports. */
  silentAbove(path: string): string {
    const mount = this.#mountOf(path);
    return this.#silent.has(mount) ? mount : dirname(path);
  }

  async close(): Promise<void> {
    this.#end();
  }

  async #probeSome(paths: readonly string[]): Promise<ProbeResult[]> {
    const seen: ProbeResult[] = paths.map(() => ({ kind: "untried" }));
    for (;;) {
      for (const [at, path] of paths.entries()) {
        if (seen[at]?.kind === "untried" && this.#isSilent(path)) seen[at] = { kind: "silent" };
      }
      const open = paths.flatMap((_, at) => (seen[at]?.kind === "untried" ? [at] : []));
      if (open.length === 0) return seen;
      const order = open.map((at) => paths[at] as string);
      const answers = await this.#ask(order);
      for (const [i, at] of open.entries()) seen[at] = answers[i] as ProbeResult;
      const silent = order.filter((_, i) => answers[i]?.kind === "silent");
      if (silent.length === 0) continue;
      for (const path of silent) this.#note(path);
      // The threads of the child still wait for the silent paths.
      this.#end();
    }
  }

  #isSilent(path: string): boolean {
    return this.#silent.has(dirname(path)) || this.#silent.has(this.#mountOf(path));
  }

  #note(path: string): void {
    const folder = dirname(path);
    if (this.#silent.has(folder)) return;
    this.#silent.add(folder);
    const mount = this.#mountOf(path);
    const count = (this.#silentOfMount.get(mount) ?? 0) + 1;
    this.#silentOfMount.set(mount, count);
    // The root cannot be silent: this program runs from it.
    if (count >= MAX_SILENT && mount !== "/") this.#silent.add(mount);
  }

  #mountOf(path: string): string {
    return this.#mounts.find((mount) => path === mount || path.startsWith(`${mount}/`)) ?? "/";
  }

  /** @throws UserError if the child process fails */
  #ask(paths: readonly string[]): Promise<readonly ProbeResult[]> {
    const child = this.#running();
    const order: ProbeRequest = { paths, timeout: this.#patience };
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        child.removeAllListeners("message");
        child.removeAllListeners("exit");
        child.removeAllListeners("error");
      };
      child.once("message", (answer) => {
        settle();
        resolve(answer as readonly ProbeResult[]);
      });
      const fail = (reason: unknown): void => {
        settle();
        this.#child = undefined;
        reject(new UserError(`The process that probes files ended (${String(reason)}).`));
      };
      child.once("exit", (code, signal) => fail(signal ?? code));
      child.once("error", (error) => fail(error.message));
      child.send(order);
    });
  }

  #running(): ChildProcess {
    this.#child ??= fork(PROCESS, {
      env: { ...openEnvironment(), UV_THREADPOOL_SIZE: String(AT_ONCE) },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    return this.#child;
  }

  /** Does not wait for the end of the child, which may hang in the kernel. */
  #end(): void {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    child.removeAllListeners("exit");
    child.on("error", () => {});
    child.kill("SIGKILL");
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/** Mount points, the deepest first; empty if the system does not list them. */
function mounts(): readonly string[] {
  try {
    const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    const paths = lines.flatMap((line) => line.split(" ")[4] ?? []);
    const plain = paths.map((path) =>
      path.replace(/\\(\d{3})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 8)),
      ),
    );
    return [...new Set(plain)].filter((path) => path !== "/").sort((a, b) => b.length - a.length);
  } catch {
    return [];
  }
}
