/** The wire between the service and the real Solr, for tests that damage what passes. */
import { once } from "node:events";
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import {
  authorization,
  ownName,
  type SolrEndpoint,
  solrUrl,
} from "../../../src/index/transport/endpoint.js";
import { use } from "../run/use.js";
import { testEndpoint } from "../service/service.js";

/** A stand-in for Solr that hands everything on to the real one, and damages what comes back. */
export async function between(
  damage: (body: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
  endpoint = testEndpoint(),
): Promise<{ server: Server; url: URL; close: () => void }> {
  const server = createServer((incoming, outgoing) => {
    const pass = (answer: IncomingMessage) => sendAll(damage(answer), outgoing);
    incoming.pipe(onward(endpoint, incoming, outgoing, pass));
  });
  const url = await listening(server);
  return { server, url, close: () => server.closeAllConnections() };
}

/** The same for all tests of a file. */
export const useWire = (...given: Parameters<typeof between>) =>
  use(
    () => between(...given),
    ({ server, close }) => {
      close();
      server.close();
    },
  );

/** Where a server listens that stands in for Solr. */
export async function listening(server: Server): Promise<URL> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/solr`);
}

/** Path and query, below Solr's root, of what was asked. The path has no prefix, whether who asks has one or not. */
export function targetOf(
  { url = "" }: IncomingMessage,
  endpoint: SolrEndpoint,
): readonly [path: string, query: string] {
  const [path = "", query = ""] = url.replace(/^\/solr\//, "").split(/\?(.*)/s);
  return [ownName(endpoint, path) ?? path, query];
}

/**
 * The same request to the real Solr, whose body is to be written by the caller.
 *
 * @param pass sends on what is answered; where it fails, the connection breaks
 */
export function onward(
  endpoint: SolrEndpoint,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  pass: (answer: IncomingMessage) => Promise<void>,
): ClientRequest {
  const [path, query] = targetOf(incoming, endpoint);
  const url = solrUrl(endpoint, path);
  url.search = query;
  const { method, headers } = incoming;
  const type = headers["content-type"];
  const options = {
    method,
    headers: { ...authorization(endpoint), ...(type && { "content-type": type }) },
  };
  const forward = request(url, options, async (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500);
    await pass(answer).catch(() => outgoing.destroy());
  });
  outgoing.on("close", () => forward.destroy());
  forward.on("error", () => outgoing.destroy());
  return forward;
}

export async function sendAll(
  body: AsyncIterable<Buffer>,
  outgoing: ServerResponse,
): Promise<void> {
  for await (const piece of body) {
    if (!outgoing.write(piece)) await once(outgoing, "drain");
  }
  outgoing.end();
}

/** Ends a body early: as if it were whole, or with the connection broken. */
export async function* cut(body: AsyncIterable<Buffer>, after: number, clean: boolean) {
  let passed = 0;
  for await (const piece of body) {
    if (passed + piece.length > after) {
      yield piece.subarray(0, after - passed);
      if (clean) return;
      throw new Error("cut");
    }
    passed += piece.length;
    yield piece;
  }
}
