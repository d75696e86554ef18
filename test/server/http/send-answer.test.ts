/** What a client gets of an answer, over a real connection. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { pieceBody } from "../../../src/server/formats/streams/piece-body.js";
import type { Answer } from "../../../src/server/http/answer.js";
import { accepts, withKeptGzip } from "../../../src/server/http/compress.js";
import { CONNECTION_LIMITS, Connections } from "../../../src/server/http/connections.js";
import { sendAnswer } from "../../../src/server/http/send-answer.js";
import { StandingHeaders } from "../../../src/server/http/standing-headers.js";

const TEXT = "a line of text\n".repeat(1000);
const JSON_TYPE = { "Content-Type": "application/json" };
const GZIP = { "Accept-Encoding": "gzip, deflate, br" };

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly origins?: readonly string[];
}

/** The status, the headers and the bytes that a client gets. @throws if the transfer is broken off */
async function got(answer: Answer, { method = "GET", headers = {}, origins = ["*"] }: Asked = {}) {
  const standing = new StandingHeaders(origins);
  server = createServer((incoming, outgoing) => {
    const own = { incoming, outgoing, id: "a-request" };
    sendAnswer(answer, own, standing).catch(() => outgoing.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, method, headers, agent: false }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

async function* pieces() {
  for (const line of TEXT.match(/.*\n/g) ?? []) yield line;
}

describe("an answer", () => {
  it("has its length, the headers of every answer, and its text unchanged for a client that accepts no coding", async () => {
    const { status, headers, bytes } = await got({ status: 200, headers: JSON_TYPE, body: "ü" });
    expect([status, bytes.toString(), headers["content-length"]]).toEqual([200, "ü", "2"]);
    expect(headers).toMatchObject({
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-request-id": "a-request",
      "access-control-allow-origin": "*",
    });
    expect(headers["content-encoding"]).toBeUndefined();
  });

  it("is compressed for a client that accepts gzip, with its length and a weak tag", async () => {
    const answer = { status: 200, headers: { ...JSON_TYPE, ETag: '"a"' }, body: TEXT };
    const { headers, bytes } = await got(answer, { headers: GZIP });
    expect(headers).toMatchObject({ "content-encoding": "gzip", etag: 'W/"a"' });
    expect(headers["content-length"]).toBe(String(bytes.length));
    expect(gunzipSync(bytes).toString()).toBe(TEXT);
    expect(bytes.length).toBeLessThan(TEXT.length / 10);
  });

  it("is cut off if too much is left unread, the oldest first, and never ends as if it were whole", async () => {
    const body = Buffer.alloc(16 * 1024 * 1024);
    const standing = new StandingHeaders([]);
    server = createServer((incoming, outgoing) => {
      void sendAnswer({ status: 200, headers: {}, body }, { incoming, outgoing, id: "" }, standing);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const responses: IncomingMessage[] = [];
    for (let n = 0; n < 20; n += 1) {
      const [response] = await once(request({ port, agent: false }).end(), "response");
      responses.push((response as IncomingMessage).pause());
    }
    const ends = await Promise.allSettled(responses.map((response) => buffer(response)));
    const whole = ends.map(({ status }) => status === "fulfilled");
    expect(whole).toEqual(Array.from({ length: 20 }, (_, n) => n >= 4));
    for (const end of ends) {
      if (end.status === "fulfilled") expect(end.value).toHaveLength(body.length);
    }
  });

  it("counts no longer than its client is there, also one that waits behind others or comes too late", async () => {
    const body = Buffer.alloc(20 * 1024 * 1024);
    const standing = new StandingHeaders([]);
    const late: (() => void)[] = [];
    const left: Promise<unknown>[] = [];
    server = createServer((incoming, outgoing) => {
      const send = (): void => {
        void sendAnswer(
          { status: 200, headers: {}, body },
          { incoming, outgoing, id: "" },
          standing,
        );
      };
      const leaving = new Promise((resolve) => incoming.socket.once("close", resolve));
      if (incoming.url !== "/") left.push(leaving);
      if (incoming.url === "/late") late.push(send);
      else send();
    });
    new Connections(CONNECTION_LIMITS, pino({ enabled: false })).guard(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const begun = async (): Promise<IncomingMessage> => {
      const [response] = await once(request({ port, agent: false }).end(), "response");
      return (response as IncomingMessage).pause();
    };
    const first = await begun();
    for (const [path, times] of [
      ["/in-a-row", 3],
      ["/late", 1],
    ] as const) {
      for (let n = 0; n < 14; n += 1) {
        const socket = connect(port, "127.0.0.1").on("error", () => {});
        const before = left.length;
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times));
        await expect.poll(() => left.length).toBe(before + times);
        socket.destroy();
        await Promise.all(left);
      }
    }
    for (const send of late) send();
    const last = await begun();
    const ends = await Promise.all([first, last].map((response) => buffer(response)));
    expect(ends.map(({ length }) => length)).toEqual([body.length, body.length]);
  });

  it.each<[string, Answer["headers"], number]>([
    ["of a type that is compressed already", { "Content-Type": "image/png" }, 200],
    ["that must not be changed", { ...JSON_TYPE, "Cache-Control": "no-transform" }, 200],
    ["that has a coding", { ...JSON_TYPE, "Content-Encoding": "br" }, 200],
    ["with a part of a body", JSON_TYPE, 206],
  ])("%s is not compressed", async (_, headers, status) => {
    const { bytes } = await got({ status, headers, body: TEXT }, { headers: GZIP });
    expect(bytes.toString()).toBe(TEXT);
  });

  it("is compressed once if its compressed bytes are kept", async () => {
    const answer = withKeptGzip({ status: 200, headers: JSON_TYPE, body: TEXT });
    const first = await answer.gzipped?.();
    expect(await answer.gzipped?.()).toBe(first);
    expect((await got(answer, { headers: GZIP })).bytes).toEqual(first);
  });

  it("has no body without one, and HEAD gets the headers of GET", async () => {
    const none = await got({ status: 304, headers: { ETag: '"a"' } });
    expect([none.status, none.bytes.length, none.headers.etag]).toEqual([304, 0, '"a"']);
    expect(none.headers.vary).toBe("Accept-Encoding");
    const answer = { status: 200, headers: JSON_TYPE, body: TEXT };
    const head = await got(answer, { method: "HEAD", headers: GZIP });
    expect([head.headers["content-length"], head.bytes.length]).toEqual([`${TEXT.length}`, 0]);
  });

  it("is sent whole as a stream, compressed or not, and its source is ended if nobody reads it", async () => {
    const answer = () => ({ status: 200, headers: JSON_TYPE, body: pieceBody(pieces()) });
    expect((await got(answer())).bytes.toString()).toBe(TEXT);
    const { headers, bytes } = await got(answer(), { headers: GZIP });
    expect(headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(bytes).toString()).toBe(TEXT);
    let isEnded = false;
    async function* open() {
      try {
        yield TEXT;
      } finally {
        isEnded = true;
      }
    }
    const unread = { status: 200, headers: JSON_TYPE, body: pieceBody(open()) };
    expect((await got(unread, { method: "HEAD" })).bytes).toHaveLength(0);
    await expect.poll(() => isEnded).toBe(true);
  });

  it.each([{}, GZIP])("is broken off if it fails on the way (%j)", async (headers) => {
    async function* broken() {
      for (let i = 0; i < 100; i += 1) yield `${i * Math.E}`.repeat(1000);
      throw new Error("the source failed");
    }
    const answer = { status: 200, headers: JSON_TYPE, body: pieceBody(broken()) };
    await expect(got(answer, { headers })).rejects.toThrow(/aborted|hang up/);
  });

  it("allows the origins of the configuration and no others, and says that it varies", async () => {
    const origins = ["https://a.example", "https://b.example"];
    const answer = { status: 200, headers: { ...JSON_TYPE, Vary: "Accept" }, body: "{}" };
    for (const [origin, allowed] of [
      ["https://b.example", "https://b.example"],
      ["https://c.example", undefined],
    ] as const) {
      const { headers } = await got(answer, { headers: { Origin: origin }, origins });
      expect(headers["access-control-allow-origin"]).toBe(allowed);
      expect(headers.vary).toBe("Accept, Origin, Accept-Encoding");
    }
  });
});

describe("the header Accept-Encoding", () => {
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ["", false],
    ["gzip", true],
    ["deflate, GZIP;q=0.5", true],
    ["gzip;q=0", false],
    ["br, *", true],
    ["*;q=0", false],
    ["gzip;q=0.0, *", false],
    ["identity", false],
  ])("%j accepts gzip: %s", (header, expected) => {
    expect(accepts(header, "gzip")).toBe(expected);
  });
});
