/**
 * npm start: sets up and serves in one process, so that a signal to npm reaches the service in any case. Needs only
 * Node.
 */
import "./check-node.mjs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const parent = process.ppid;
process.stdout.on("error", () => {});
await tryPort();
await import("./setup.mjs");
// npm has ended during set-up. From here on the service checks that itself.
if (process.ppid !== parent) process.exit(1);
const main = new URL("../dist/src/main.js", import.meta.url);
process.argv = [process.execPath, fileURLToPath(main), "serve", ...process.argv.slice(2)];
await import(main.href);

/** Finds a port in use before anything is installed, with the message of `serve`. */
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
