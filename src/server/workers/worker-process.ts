/**
 * The main program of a worker. It listens on no port: connections and the address of Solr come from the supervisor over
 * a private channel, so that arguments and environment reveal no more than the supervisor's.
 */
import { Socket } from "node:net";
import { UserError } from "../../platform/errors.js";
import { surviveOutputErrors } from "../../platform/output.js";
import { drain, openAnswering, openIndex, openShared } from "../assembly/compose-service.js";
import { ForwardedConnections } from "../http/forwarded-connections.js";
import { openSharedLog } from "../monitoring/logging/log.js";
import { readConfig } from "../settings/config.js";
import { ALIVE_MS, endpointOf, type Order, type Report, type Start } from "./messages.js";
import { Scrapes } from "./scrapes.js";
import { shareOf } from "./share.js";

const report = (message: Report): void => {
  // If the supervisor has gone, `disconnect` follows.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
};

async function run(start: Start): Promise<void> {
  const whole = readConfig({ ...process.env, ...start.secrets, WORKERS: String(start.workers) });
  const { config, ...concurrency } = shareOf(whole, start.index);
  const logger = openSharedLog(config.logLevel, start.index);
  let { isUp } = start;
  let isEnding = false;
  let mended = 0;
  const solr = openIndex(config, {
    endpoint: endpointOf(start.endpoint),
    topology: start.topology,
    isUp: () => isUp,
    mend: () => {
      // All writes may fail now; one message is enough.
      if (Date.now() - mended > ALIVE_MS) report({ kind: "mend" });
      mended = Date.now();
    },
  });
  // The supervisor has printed the messages already.
  const shared = openShared(config, solr, { say: () => {}, logger });
  const scrapes = new Scrapes((number) => report({ kind: "scrape", number }));
  const answering = await openAnswering(config, shared, logger, {
    ...concurrency,
    scrape: () => scrapes.scrape(),
  });
  let isSent = true;
  const connections = new ForwardedConnections(answering.server, () => {
    // One message for all connections that end in the same turn.
    if (isSent) setImmediate(tell);
    isSent = false;
  });
  const tell = (): void => {
    isSent = true;
    report({ kind: "alive", open: connections.count });
  };
  setInterval(tell, ALIVE_MS).unref();

  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    report({ kind: "ending" });
    answering.server.close();
    await drain(answering.server, connections.drained());
    await answering.close();
    process.exit(0);
  };
  process.on("SIGTERM", () => void end()).on("SIGINT", () => void end());
  process.on("message", (order: Order, socket: unknown) => {
    if (order.kind === "solr") isUp = order.isUp;
    else if (order.kind === "listening") answering.listensOn(order.address);
    else if (order.kind === "scraped") scrapes.answered(order.number, order.text);
    else if (order.kind === "measure") {
      const { round } = order;
      void answering.metrics
        .figures()
        .then((figures) => report({ kind: "measured", round, figures }));
    } else if (order.kind === "stop") void end();
    else if (order.kind === "connection" && isEnding) {
      if (socket instanceof Socket) socket.destroy();
      report({ kind: "refused" });
    } else if (order.kind === "connection") {
      // No socket arrives if the connection ended on the way.
      if (socket instanceof Socket) connections.take(socket);
      report({ kind: "taken", open: connections.count });
    }
  });
  report({ kind: "ready" });
}

surviveOutputErrors();
process.once("disconnect", () => process.exit(1));
process.once("message", (order: Order) => {
  if (order.kind !== "start") return;
  run(order).catch((error: unknown) => {
    if (error instanceof UserError) report({ kind: "failed", reason: error.message });
    else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    setImmediate(() => process.exit(1));
  });
});
