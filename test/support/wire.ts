/** The wire between the service and the real Solr, for tests that damage what passes. */
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { authorization, solrUrl } from "../../src/solr/endpoint.js";
import { testEndpoint } from "./service.js";

/** A stand-in for Solr that hands everything on to the real one, and damages what comes back. */
export async function between(
  damage: (body: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
  endpoint = testEndpoint(),
): Promise<{ server: Server; url: URL; close: () => void }> {
  const server = createServer((incoming, outgoing) => {
    const url = solrUrl(endpoint, (incoming.url ?? "").replace(/^\/solr\//, ""));
    url.search = (incoming.url ?? "").split("?")[1] ?? "";
    url.pathname = url.pathname.split("%3F")[0] ?? "";
    const { method, headers } = incoming;
    const type = headers["content-type"];
    const options = {
      method,
      headers: { ...authorization(endpoint), ...(type && { "content-type": type }) },
    };
    const forward = request(url, options, async (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500);
      try {
        for await (const piece of damage(answer)) {
          if (!outgoing.write(piece)) await once(outgoing, "drain");
        }
        outgoing.end();
      } catch {
        outgoing.destroy();
      }
    });
    outgoing.on("close", () => forward.destroy());
    forward.on("error", () => outgoing.destroy());
    incoming.pipe(forward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/solr`);
  return { server, url, close: () => server.closeAllConnections() };
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
