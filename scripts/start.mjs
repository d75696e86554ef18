/**
 * npm start: sets up and serves, in one process, so that a signal to npm comes to the service whatever npm and its
 * shell do with it. Needs nothing but Node.
 */
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

/** Milliseconds between two looks whether npm is still there. */
const LOOK = 500;
const parent = process.ppid;

process.stdout.on("error", () => {});
await tryPort();
await import("./setup.mjs");
if (process.env.npm_lifecycle_event === "start") endWithParent();
const main = new URL("../dist/src/main.js", import.meta.url);
process.argv = [process.execPath, fileURLToPath(main), "serve", ...process.argv.slice(2)];
await import(main.href);

/** A port that is taken is found before anything is installed; in the words of `serve`, which checks the rest. */
async function tryPort() {
  const { PORT, HOST } = process.env;
  const [port, host] = [PORT || "7777", HOST || "127.0.0.1"];
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return;
  const probe = createServer();
  const error = await new Promise((resolve) => {
    probe.once("error", resolve).listen(Number(port), host, resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
  if (error?.code !== "EADDRINUSE") return;
  console.error(`Port ${port} on ${host} is in use; stop what uses it or set PORT.`);
  process.exit(1);
}

/** A shell between npm and this process may end on a signal without a word, and npm may be killed. */
function endWithParent() {
  const timer = setInterval(() => {
    if (hasParent()) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK);
  timer.unref();
}

/** process.ppid is what it was at the start. */
function hasParent() {
  const stat = "/proc/self/stat";
  // After the name, which may hold anything, come the state and the parent.
  if (existsSync(stat))
    return Number(readFileSync(stat, "utf8").split(") ").at(-1)?.split(" ")[1]) === parent;
  try {
    return process.kill(parent, 0);
  } catch {
    return false;
  }
}
