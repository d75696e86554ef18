/** Orders from which a thread never comes back, by their paths. */
import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { Order } from "../../src/zarr/worker/protocol.js";

parentPort?.on("message", ({ task: { path } }: Order) => {
  if (path.endsWith(".loop")) for (;;);
  // Opening a named pipe waits in the kernel until somebody writes to it.
  if (path.endsWith(".pipe")) readFileSync(path);
});
