/** Requests to an outside identity provider that misbehaves. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { requestProvider } from "../../../src/identity/outside/provider-request.js";

/** Serves everything with one handler while `work` runs. */
async function serving<T>(
  answer: Parameters<typeof createServer>[1],
  work: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer(answer as never).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const signal = (): AbortSignal => AbortSignal.timeout(5000);

it("an endless answer is given up after 1 MB", async () => {
  let sent = 0;
  const work = (url: string) => requestProvider(url, { signal: signal() });
  const endless = serving((_, answer) => {
    const piece = Buffer.alloc(1 << 16, " ");
    const more = (): void => {
      if (answer.destroyed) return;
      sent += piece.length;
      answer.write(piece, () => setImmediate(more));
    };
    more();
  }, work);
  await expect(endless).rejects.toThrow(/sends more than 1000000 bytes/);
  expect(sent).toBeGreaterThan(1_000_000);
  expect(sent).toBeLessThan(1 << 25);
});

it("a redirect is not followed, so that a password goes to one host alone", async () => {
  const paths: string[] = [];
  const work = (url: string) =>
    requestProvider(url, { method: "POST", body: "password=x", signal: signal() });
  const redirected = serving(({ url = "" }, answer) => {
    paths.push(url);
    answer.writeHead(307, { Location: "/elsewhere" }).end();
  }, work);
  await expect(redirected).rejects.toThrow();
  expect(paths).toEqual(["/"]);
});

it("a provider that hangs is given up at the deadline, also in the middle of an answer", async () => {
  for (const head of [false, true]) {
    const hanging = serving(
      (_, answer) => {
        if (head) answer.writeHead(200).write("{");
      },
      (url) => requestProvider(url, { signal: AbortSignal.timeout(100) }),
    );
    await expect(hanging).rejects.toThrow(/timeout/i);
  }
});

it("status and text are those of the provider", async () => {
  const answer = await serving(
    (_, response) => response.writeHead(400).end("\u{feff}{é}"),
    (url) => requestProvider(url, { signal: signal() }),
  );
  expect(answer).toEqual({ isOk: false, status: 400, text: "{é}" });
});
