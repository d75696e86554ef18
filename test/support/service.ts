/** The service in this process, over the test run's Solr, behind a real HTTP server. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { createAdaptorServer } from "@hono/node-server";
import { pino } from "pino";
import { inject } from "vitest";
import { PREFIX } from "../../generated/routes.js";
import { createApp } from "../../src/app.js";
import { readDocument } from "../../src/contract/document.js";
import { Loader, type LoadResult, type Refusal } from "../../src/ingest/load.js";
import type { SolrTopology } from "../../src/solr/collections.js";
import type { SolrEndpoint } from "../../src/solr/endpoint.js";
import { Solr } from "../../src/solr/solr.js";

export interface TestService {
  /** Address of the server, without the prefix. */
  readonly address: string;
  readonly solr: Solr;
  /** Everything that was logged. */
  readonly log: string[];
  /** Requests a path below the prefix. */
  get(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** Another Solr than the test run's. */
  readonly endpoint?: SolrEndpoint;
  readonly topology?: SolrTopology;
  readonly timeoutMs?: number;
  readonly corsOrigins?: readonly string[];
}

export function testEndpoint(): SolrEndpoint {
  const { url, user, password } = inject("solr");
  return { url: new URL(url), user, password };
}

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const { endpoint = testEndpoint(), timeoutMs = 20_000, corsOrigins = ["*"] } = options;
  const { topology = { cloud: false, shards: {} } } = options;
  const solr = new Solr(endpoint, timeoutMs, topology);
  const log: string[] = [];
  const sink = new Writable({
    write(line, _, done) {
      log.push(String(line));
      done();
    },
  });
  let address = "";
  const app = createApp({
    solr,
    baseUrl: () => address,
    clock: Date.now,
    corsOrigins,
    document: await readDocument(),
    logger: pino({ level: "info" }, sink),
    checkReplies: true,
  });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    solr,
    log,
    get: (path, init) => fetch(address + PREFIX + path, init),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type TestDocument = Readonly<Record<string, unknown>> & { readonly file: string };

/** Empties both collections. */
export async function emptyIndex(solr: Solr): Promise<void> {
  for (const collection of ["files", "latest"]) {
    await solr.http.send({
      method: "POST",
      path: `${collection}/update?commit=true`,
      body: '{"delete":{"query":"*:*"}}',
      headers: { "Content-Type": "application/json" },
    });
  }
}

/** Loads documents through the loader, as `index` does. */
export async function load(
  solr: Solr,
  documents: readonly TestDocument[],
  refused: Refusal[] = [],
): Promise<LoadResult> {
  const loader = new Loader(solr.http, { onRefused: (refusal) => refused.push(refusal) });
  return loader.load(
    (async function* () {
      for (const [index, document] of documents.entries()) {
        yield { text: JSON.stringify(document), line: index + 1 };
      }
    })(),
  );
}
