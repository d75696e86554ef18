/** Bytes that make no request, or one too many: refused with the bodies of any other error. */
import { describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import type { Problem } from "../../../generated/schemas.js";
import { dial, hear, parse, tell } from "../../support/network/plain-http.js";
import { useService } from "../../support/service/use-service.js";

const PING = `${PREFIX}/ping`;

const service = useService({ connections: { headersMs: 1000, requestMs: 2000 } });

/** What is answered to bytes, after which the connection ends. */
async function answer(message: string) {
  const bytes = await tell(service.address, message);
  return parse(bytes);
}

function expectProblem({ status, headers, body }: ReturnType<typeof parse>, expected: number) {
  expect(status).toBe(expected);
  expect(headers.get("content-type")).toBe("application/problem+json");
  expect(headers.get("connection")).toBe("close");
  const problem = JSON.parse(body) as Problem;
  expect(problem).toMatchObject({ status: expected, type: expect.stringMatching(/^urn:/) });
}

describe("malformed requests", () => {
  it.each([
    ["no HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    ["no target", "GET HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["a target that is no address", "GET \\\\x HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["a header without a name", `GET ${PING} HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n`, 400],
    ["no host", `GET ${PING} HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
    ["another version", `GET ${PING} HTTP/3.7\r\nHost: x\r\n\r\n`, 505],
    ["large headers", `GET ${PING} HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["many headers", `GET ${PING} HTTP/1.1\r\nHost: x\r\n${"A: b\r\n".repeat(4000)}\r\n`, 431],
    ["a large address", `GET ${PING}?${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    [
      "a wish that nobody can meet",
      `GET ${PING} HTTP/1.1\r\nHost: x\r\nExpect: the unexpected\r\n\r\n`,
      417,
    ],
  ])("%s is refused with a body", async (_, message, status) => {
    expectProblem(await answer(message), status);
  });

  it("an unfinished request is 408", async () => {
    for (const start of ["", "GET / HT", `GET ${PING} HTTP/1.1\r\nHost: x\r\nA: b`]) {
      expectProblem(await answer(start), 408);
    }
    const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 99";
    const slow = `POST ${PREFIX}/auth/v2/token HTTP/1.1\r\nHost: x\r\n${form}\r\n\r\nuser`;
    expectProblem(await answer(slow), 408);
  });

  it("requests whose length is given twice or wrongly are refused whole", async () => {
    const next = `GET ${PREFIX}/databrowser/overview HTTP/1.1\r\nHost: x\r\n\r\n`;
    const start = `POST ${PREFIX}/auth/v2/token HTTP/1.1\r\nHost: x\r\n`;
    for (const framing of [
      "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
      "Content-Length: +5\r\n\r\nabcde",
      "Content-Length: 0x5\r\n\r\nabcde",
      "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
      "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
      "Transfer-Encoding: chunked\r\n\r\n+5\r\nabcde\r\n0\r\n\r\n",
      "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
      "Transfer-Encoding: chunked\r\n\r\n0\n\n",
    ]) {
      const bytes = await tell(service.address, start + framing + next);
      expect(parse(bytes).status, framing).toBe(400);
      expect(bytes.toString(), framing).not.toContain("flavours");
    }
  });

  it("leave no trace above a warning in the log", () => {
    for (const line of service.log) expect(JSON.parse(line).level, line).toBeLessThan(40);
  });
});

describe("a request", () => {
  it("is answered in HTTP/1.0 without a host", async () => {
    expect((await answer(`GET ${PING} HTTP/1.0\r\n\r\n`)).status).toBe(200);
  });

  it("is continued if it expects 100-continue", async () => {
    const socket = await dial(service.address);
    const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3";
    const rest = "Expect: 100-continue\r\nConnection: close";
    const path = `${PREFIX}/auth/v2/token`;
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${form}\r\n${rest}\r\n\r\n`);
    socket.once("data", () => socket.write("a=b"));
    const bytes = await hear(socket);
    expect(bytes.toString()).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 Bad Request/);
  });

  it("is answered on a connection with few others, and ends a connection with a multitude", async () => {
    const path = `${PREFIX}/databrowser/metadata-search/cmip6/file`;
    const one = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const last = `GET ${PING} HTTP/1.0\r\n\r\n`;
    const answers = async (message: string): Promise<number> =>
      ((await tell(service.address, message)).toString().match(/HTTP\/1\.1 200/g) ?? []).length;
    expect(await answers(one.repeat(15) + last)).toBe(16);
    const before = service.log.length;
    expect(await answers(one.repeat(1000))).toBeLessThan(16);
    expect(service.log.length - before).toBeLessThan(20);
    expect((await service.get("/ping")).status).toBe(200);
  });
});
