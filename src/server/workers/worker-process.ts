/**
 * The main program of a worker. The address of Solr and the secret settings come from the supervisor over a private channel, so
 * that arguments and environment reveal no more than the supervisor's.
 */
import { spawn } from "node:child_process";
import { solrEndpoint } from "../../index/transport/endpoint.js";
import { inTime } from "../../platform/concurrency/in-time.js";
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { RETRY_AFTER, ServiceBusy, UserError } from "../../platform/errors.js";
import { surviveOutputErrors } from "../../platform/output.js";
import { openIndex, openShared } from "../assembly/compose-service.js";
import { inOneProcess } from "../assembly/one-process.js";
import { openSharedLog } from "../monitoring/logging/log.js";
import { readConfig } from "../settings/config.js";
import { ALIVE_MS, type Order, type Report, type Start } from "./messages.js";
import { shareOf } from "./share.js";

/** Milliseconds until the supervisor must have gathered the metrics; it waits for workers itself. */
const SCRAPE_MS = 3000;

const report = (message: Report, sent: () => void = () => {}): void => {
  // If the supervisor has gone, node:cluster ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, sent);
};

async function run(start: Start): Promise<void> {
  const whole = readConfig({ ...process.env, ...start.secrets, WORKERS: String(start.workers) });
  const { config, ...share } = shareOf(whole, start.index);
  const logger = openSharedLog(config.logLevel, start.index);
  const { addresses, user, password, prefix } = start.endpoint;
  let { isUp } = start;
  let mended = 0;
  const solr = openIndex(config, {
    endpoint: solrEndpoint(addresses, user, password, prefix),
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
  const scrapes = new SingleFlight<string>();
  let scraped = (_: string): void => {};
  const gathered = (): Promise<string> => {
    const text = new Promise<string>((resolve) => {
      scraped = resolve;
    });
    report({ kind: "scrape" });
    return inTime(text, SCRAPE_MS, () => {
      const reason = "The metrics of all worker processes cannot be collected at the moment.";
      throw new ServiceBusy(RETRY_AFTER.search, reason);
    });
  };
  const service = await inOneProcess(config, shared, logger, {
    ...share,
    scrape: () => scrapes.join(gathered),
  });
  let isEnding = false;
  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await service.stop();
    process.exit(0);
  };
  process.on("SIGTERM", () => void end());
  process.on("message", (order: Order) => {
    if (order.kind === "solr") isUp = order.isUp;
    else if (order.kind === "scraped") scraped(order.text);
    else if (order.kind === "stop") void end();
    else if (order.kind === "measure") {
      void service.figures().then((figures) => report({ kind: "measured", figures }));
    }
  });
  report({ kind: "ready", address: await service.listen() });
  setInterval(() => report({ kind: "alive" }), ALIVE_MS).unref();
}

/** Kills this process, even if it hangs, when the supervisor ends for any reason: descriptor 4 is open while that lives. */
function endWithSupervisor(): void {
  spawn("/bin/sh", ["-c", 'read _; kill -9 "$0"', String(process.pid)], {
    stdio: [4, "ignore", "ignore"],
    env: {},
    detached: true,
  }).unref();
}

surviveOutputErrors();
endWithSupervisor();
// A terminal sends these to all its processes. The supervisor stops its workers in order.
for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
process.once("message", (order: Order) => {
  if (order.kind !== "start") return;
  run(order).catch((error: unknown) => {
    const reason = error instanceof UserError ? error.message : undefined;
    if (reason !== undefined) report({ kind: "failed", reason }, () => process.exit(1));
    else {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () =>
        process.exit(1),
      );
    }
  });
});
report({ kind: "loaded" });
