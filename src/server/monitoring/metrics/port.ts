/** A separate port for the metrics, for a Prometheus on another machine. */
import { createServer, type Server } from "node:http";
import { METRICS_TYPE } from "./metrics.js";

/** Few clients scrape. */
const MAX_CONNECTIONS = 32;
const TIMEOUT = 10_000;

/** A server that does not listen yet. If `scrape` fails, it answers 503. */
export function metricsServer(scrape: () => Promise<string>): Server {
  const server = createServer({ maxHeaderSize: 8192 }, async ({ url = "", method }, answer) => {
    const isRead = method === "GET" || method === "HEAD";
    if (url.split("?", 1)[0] !== "/metrics" || !isRead) {
      answer.writeHead(404, { "Content-Length": 0 }).end();
      return;
    }
    try {
      const text = await scrape();
      const headers = { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store" };
      const length = Buffer.byteLength(text);
      answer.writeHead(200, { ...headers, "Content-Length": length });
      answer.end(method === "GET" ? text : undefined);
    } catch {
      answer.writeHead(503, { "Content-Length": 0, "Retry-After": 5 }).end();
    }
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.headersTimeout = TIMEOUT;
  server.requestTimeout = TIMEOUT;
  server.timeout = 6 * TIMEOUT;
  return server;
}
