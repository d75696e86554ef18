/** Starts a program in a thread or in a process of its own, compiled or straight from its TypeScript source. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Lease } from "../concurrency/budget.js";
import { packagePath } from "../package-root.js";
import { scrubbedEnvironment } from "../processes/scrubbed-environment.js";
import { sha256 } from "../sha256.js";
import type { WorkerMessage } from "./worker-program.js";

/** A thread or a process that runs a program. It does not keep this process alive. */
export interface RunningWorker {
  send(question: unknown): void;
  /** Ends it. A process counts as ended at once; a system call that hangs in a thread ends only when the file system answers. */
  terminate(): void;
  /** Bytes of memory gained since it was ready; 0 for a thread. */
  readonly growth: number;
}

export interface WorkerEvents {
  /** @param lease of the memory of a large answer */
  message(message: WorkerMessage, lease?: Lease): void;
  /** Its message cannot be received: no memory could be booked, or it has no known form. */
  broken(cause: unknown): void;
  /** Called once, when it counts as ended or cannot be started. */
  exit(reason: string): void;
}

/** @param program URL of its module, with the ending .js */
export function startThread(
  program: URL,
  data: unknown,
  { message, exit }: WorkerEvents,
): RunningWorker {
  const thread = new Worker(runnable(program), { execArgv: [], workerData: data });
  let reason = "the thread ended";
  thread.on("message", (sent: WorkerMessage) => message(sent));
  thread.on("error", (error) => {
    reason = error.message;
  });
  thread.once("exit", () => exit(reason));
  thread.unref();
  return {
    send: (question) => thread.postMessage(question),
    terminate: () => void thread.terminate(),
    growth: 0,
  };
}

/**
 * A process with the scrubbed environment. It ends when this one does, unless it hangs.
 *
 * @param program URL of its module, with the ending .js
 * @param env what its environment has beside that
 */
export function startProcess(program: URL, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [runnable(program)], {
    env: { ...scrubbedEnvironment(), ...env },
    stdio: ["pipe", "ignore", "inherit", "pipe"],
    detached: true,
  });
}

/** Under vitest and tsx, modules are TypeScript. */
const isSource = import.meta.url.endsWith(".ts");
const bundles = new Map<string, string>();

/**
 * The file with which Node starts a program. Of TypeScript, that is a bundle of the module and what it imports of this package: with
 * the loader of tsx, it takes half a second longer to start.
 *
 * @param program URL of its module, with the ending .js
 */
export function runnable(program: URL): string {
  const path = fileURLToPath(program);
  if (!isSource) return path;
  const known = bundles.get(path);
  if (known !== undefined) return known;
  const file = bundle(path.replace(/\.js$/, ".ts"));
  bundles.set(path, file);
  return file;
}

function bundle(source: string): string {
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  });
  const text = outputFiles[0]?.text ?? "";
  // Node finds the packages from there.
  const folder = packagePath("node_modules", ".cache", "programs");
  const file = join(folder, `${sha256(text)}.mjs`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  // Other processes may write the same.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
  return file;
}
