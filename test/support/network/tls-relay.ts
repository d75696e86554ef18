/** A relay that ends TLS before a service, as a proxy does. */
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeAuthority } from "./certificates.js";

export interface TlsRelay {
  /** Origin with https. */
  readonly address: string;
  /** Path of the authority's certificate, in PEM. */
  readonly authority: string;
  close(): Promise<void>;
}

/**
 * Starts a relay on the loopback, with a certificate of an authority of its own.
 *
 * @param target origin of a service that trusts one proxy, known when the first request comes
 */
export async function startTlsRelay(target: () => string): Promise<TlsRelay> {
  const authority = await makeAuthority();
  const { certificate, key } = await authority.sign("localhost");
  const [cert, secret] = await Promise.all([readFile(certificate), readFile(key)]);
  const server = createServer({ cert, key: secret }, (incoming, answer) => {
    const { method, url, headers } = incoming;
    const more = {
      "x-forwarded-proto": "https",
      "x-forwarded-host": headers.host ?? "",
      "x-forwarded-for": "127.0.0.1",
    };
    const outgoing = request(`${target()}${url}`, { method, headers: { ...headers, ...more } });
    outgoing.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on("error", () => answer.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authority: authority.certificate,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
