/** Looks at many files without opening them, however slow what they lie on is. */
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../platform/errors.js";
import { openEnvironment } from "../../platform/scrubbed-environment.js";
import { batchesOf } from "../../platform/time-slices.js";
import type { LookOrder, Seen } from "./inspect-process.js";

/** Paths that are looked at at a time: most of the time on a file system of a network is waiting. */
const AT_ONCE = 16;
/** Paths in one order. */
const MAX_PATHS = 2000;
/** So many silent folders of a mount are taken for all of it. */
const MAX_SILENT = 3;

const PROCESS = fileURLToPath(new URL("./inspect-process.js", import.meta.url));

export class Looker {
  readonly #patience: number;
  readonly #mounts = mounts();
  /** Folders and mounts that did not answer. */
  readonly #silent = new Set<string>();
  readonly #silentOfMount = new Map<string, number>();
  #child: ChildProcess | undefined;

  /** @param patience milliseconds that a file system may take to answer */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** What there is at each of the paths. */
  async look(paths: readonly string[]): Promise<Seen[]> {
    const all: Seen[] = [];
    for (const batch of batchesOf(paths, MAX_PATHS)) {
      all.push(...(await this.#lookAt(batch)));
    }
    return all;
  }

  /** The folder or the mount of a silent path by which it is told. */
  silentAbove(path: string): string {
    const mount = this.#mountOf(path);
    return this.#silent.has(mount) ? mount : dirname(path);
  }

  async close(): Promise<void> {
    this.#end();
  }

  async #lookAt(paths: readonly string[]): Promise<Seen[]> {
    const seen: Seen[] = paths.map(() => ({ kind: "untried" }));
    for (;;) {
      for (const [at, path] of paths.entries()) {
        if (seen[at]?.kind === "untried" && this.#isSilent(path)) seen[at] = { kind: "silent" };
      }
      const open = paths.flatMap((_, at) => (seen[at]?.kind === "untried" ? [at] : []));
      if (open.length === 0) return seen;
      const order = open.map((at) => paths[at] as string);
      const answers = await this.#ask(order);
      for (const [i, at] of open.entries()) seen[at] = answers[i] as Seen;
      const silent = order.filter((_, i) => answers[i]?.kind === "silent");
      if (silent.length === 0) continue;
      for (const path of silent) this.#note(path);
      // Its threads wait for what does not answer.
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
    // This program itself lies on the root's.
    if (count >= MAX_SILENT && mount !== "/") this.#silent.add(mount);
  }

  #mountOf(path: string): string {
    return this.#mounts.find((mount) => path === mount || path.startsWith(`${mount}/`)) ?? "/";
  }

  /** @throws UserError when no process can be had that looks */
  #ask(paths: readonly string[]): Promise<readonly Seen[]> {
    const child = this.#running();
    const order: LookOrder = { paths, patience: this.#patience };
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        child.removeAllListeners("message");
        child.removeAllListeners("exit");
        child.removeAllListeners("error");
      };
      child.once("message", (answer) => {
        settle();
        resolve(answer as readonly Seen[]);
      });
      const fail = (reason: unknown): void => {
        settle();
        this.#child = undefined;
        reject(new UserError(`The process that looks at files ended (${String(reason)}).`));
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

  /** It may wait in the kernel, where nothing reaches it: nobody waits for its end. */
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

/** Where file systems are mounted, the deepest first; none where the system does not say. */
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
