import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

const OPTIONS: WorkerOptions = {
  resourceLimits: { maxOldGenerationSizeMb: 512 },
  // What the thread prints is read and dropped by its owner.
  stdout: true,
  stderr: true,
  execArgv: [],
};

const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js",
  import.meta.url,
);

/**
 * Starts a reading thread.
 *
 * Run from its sources, under tsx or vitest, the thread is TypeScript, which Node 20 cannot load:
 * tsx is registered in it first.
 *
 * @param script what runs in the thread: a test may have one of its own
 */
export function startWorker(script = WORKER): Worker {
  if (!script.href.endsWith(".ts")) return new Worker(script, OPTIONS);
  // Its entry for require cannot be imported.
  const tsx = new URL("dist/esm/api/index.mjs", tsxFolder()).href;
  const [api, worker] = [tsx, script.href].map((url) => JSON.stringify(url));
  const start = `import(${api}).then(({ register }) => (register(), import(${worker})))`;
  return new Worker(start, { ...OPTIONS, eval: true });
}

function tsxFolder(): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve("tsx/package.json"));
}
