/** Requests by TLS as clients send them, in HTTP/1.1 and HTTP/2, and how their answers ended. */
import { connect } from "node:http2";
import { type RequestOptions, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  /** Milliseconds until the first byte of the body. */
  readonly firstByte: number;
  /** Whether the answer did not end as a whole one does. */
  readonly broken: boolean;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** From which address of the loopback. */
  readonly from?: string;
}

/** HTTP/1.1. @param ca whom to trust, in PEM */
export function get1(url: string, ca: string, sent: Sent = {}): Promise<Got> {
  const start = performance.now();
  const { method = "GET", headers, body, from } = sent;
  const options: RequestOptions & { ALPNProtocols: string[] } = {
    method,
    ca,
    agent: false,
    family: 4,
    ALPNProtocols: ["http/1.1"],
    ...(headers && { headers }),
    ...(from && { localAddress: from }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (answer) => {
      const pieces: Buffer[] = [];
      let firstByte = Number.POSITIVE_INFINITY;
      answer.on("data", (piece: Buffer) => {
        if (pieces.length === 0) firstByte = performance.now() - start;
        pieces.push(piece);
      });
      answer.on("error", () => {});
      answer.on("close", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes: Buffer.concat(pieces),
          firstByte,
          broken: !answer.complete,
        }),
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** HTTP/2. @throws where the server does not speak it */
export async function get2(url: string, ca: string): Promise<Got> {
  const { origin, pathname, search } = new URL(url);
  const start = performance.now();
  const session = connect(origin, { ca, family: 4, ALPNProtocols: ["h2"] } as object);
  try {
    return await new Promise<Got>((resolve, reject) => {
      session.on("error", reject);
      const stream = session.request({ ":path": pathname + search });
      const pieces: Buffer[] = [];
      let headers: Got["headers"] = {};
      let [firstByte, ended, failed] = [Number.POSITIVE_INFINITY, false, false];
      stream.on("response", (all) => {
        headers = all as Got["headers"];
      });
      stream.on("data", (piece: Buffer) => {
        if (pieces.length === 0) firstByte = performance.now() - start;
        pieces.push(piece);
      });
      stream.on("end", () => {
        ended = true;
      });
      stream.on("aborted", () => {
        failed = true;
      });
      stream.on("error", () => {
        failed = true;
      });
      stream.on("close", () => {
        const broken = failed || !ended || stream.rstCode !== 0;
        const bytes = Buffer.concat(pieces);
        resolve({ status: Number(headers[":status"]), headers, bytes, firstByte, broken });
      });
    });
  } finally {
    session.destroy();
    await sleep(0);
  }
}
