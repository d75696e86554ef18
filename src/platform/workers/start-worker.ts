/** Starts a program in a thread or in a process of its own, compiled or straight from its TypeScript source. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { scrubbedEnvironment } from "../processes/scrubbed-environment.js";
import type { WorkerSetup } from "./worker-program.js";

/** A thread or a process that runs a program. */
export interface RunningWorker {
  send(message: unknown): void;
  /** Ends it. A system call that hangs ends only when the file system answers. */
  terminate(): void;
  /** Whether it keeps this process alive. */
  keepAlive(isKept: boolean): void;
}

export interface WorkerEvents {
  message(message: unknown): void;
  /** Called once, when nothing of it runs any more or it cannot be started. */
  exit(reason: string): void;
}

/** @param program URL of its module, with the ending .js */
export function startThread(
  program: URL,
  setup: WorkerSetup,
  { message, exit }: WorkerEvents,
): RunningWorker {
  const source = isSource ? bundle(program) : program;
  const thread = new Worker(source, { eval: isSource, execArgv: [], workerData: setup });
  let reason = "the thread ended";
  thread.on("message", message);
  thread.on("error", (error) => {
    reason = error.message;
  });
  thread.once("exit", () => exit(reason));
  return {
    send: (sent) => thread.postMessage(sent),
    terminate: () => void thread.terminate(),
    keepAlive: (isKept) => (isKept ? thread.ref() : thread.unref()),
  };
}

/**
 * The process gets the scrubbed environment. It ends when this one does, unless it hangs.
 *
 * @param program URL of its module, with the ending .js
 * @param env what its environment has beside that
 */
export function startProcess(
  program: URL,
  env: NodeJS.ProcessEnv,
  { message, exit }: WorkerEvents,
): RunningWorker {
  const source = isSource ? ["-e", bundle(program)] : [fileURLToPath(program)];
  const child = spawn(process.execPath, source, {
    env: { ...scrubbedEnvironment(), ...env },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let isEnded = false;
  const end = (reason: string): void => {
    if (!isEnded) exit(reason);
    isEnded = true;
  };
  child.on("message", message);
  child.on("error", ({ message: reason }) => end(reason));
  child.once("exit", (code, signal) => end(`the process ended with ${signal ?? code}`));
  const keepAlive = (isKept: boolean): void => {
    if (isKept) {
      child.ref();
      child.channel?.ref();
    } else {
      child.unref();
      child.channel?.unref();
    }
  };
  return {
    send: (sent) => child.send(sent as object),
    terminate: () => {
      child.kill("SIGKILL");
      if (child.connected) child.disconnect();
    },
    keepAlive,
  };
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
