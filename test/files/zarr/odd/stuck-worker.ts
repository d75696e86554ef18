/**
 * A reading process that reads as any other, but for two kinds of orders gets stuck before it looks
 * at them: as by a fault of a library, or by a file system that does not answer.
 */
import type { openSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";

const fs = createRequire(import.meta.url)("node:fs") as { openSync: typeof openSync };
const original = fs.openSync;
fs.openSync = (path, ...options) => {
  if (String(path).endsWith(".loop")) for (;;);
  // Opening a named pipe waits in the kernel until somebody writes to it.
  if (String(path).endsWith(".pipe")) return original(path, "r");
  return original(path, ...options);
};
syncBuiltinESMExports();
await import("../../../../src/files/zarr/worker/worker.js");
