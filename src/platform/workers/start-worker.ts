/** Starts a program in a thread or in a process of its own, compiled or straight from its TypeScript source. */
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Lease } from "../concurrency/budget.js";
import { scrubbedEnvironment } from "../processes/scrubbed-environment.js";
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
  const source = isSource ? bundle(program) : program;
  const thread = new Worker(source, { eval: isSource, execArgv: [], workerData: data });
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
  const source = isSource ? ["-e", bundle(program)] : [fileURLToPath(program)];
  return spawn(process.execPath, source, {
    env: { ...scrubbedEnvironment(), ...env },
    stdio: ["pipe", "ignore", "inherit", "pipe"],
    detached: true,
  });
}

/** Under vitest and tsx modules are TypeScript, which a new thread cannot load on Node 20. */
const isSource = import.meta.url.endsWith(".ts");
const bundles = new Map<string, string>();

/** The program and its imports as one CommonJS text: a thread with tsx takes half a second to start, this 50 ms. */
function bundle(program: URL): string {
  const path = fileURLToPath(program).replace(/\.js$/, ".ts");
  const known = bundles.get(path);
  if (known !== undefined) return known;
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    logLevel: "silent",
  });
  const text = outputFiles[0]?.text ?? "";
  bundles.set(path, text);
  return text;
}
