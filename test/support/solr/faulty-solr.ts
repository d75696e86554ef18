/** A proxy before the real Solr that records requests and fails on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { use } from "../run/use.js";
import { testEndpoint } from "../service/service.js";
import { listening, onward, sendAll, targetOf } from "./wire.js";

export interface Asked {
  readonly method: string;
  /** Below Solr's root, without the query: `files/select`. */
  readonly path: string;
  /** Of the address, and of a form. */
  readonly parameters: URLSearchParams;
  readonly body: string;
}

/** Another answer than Solr's, or the first bytes of Solr's answer and then a failure. */
export type Fault = { readonly status: number; readonly body: string } | Cut;
export interface Cut {
  readonly after: number;
  readonly kind: "garbage" | "stall" | "reset" | "end";
}

export interface FaultySolr {
  readonly url: URL;
  /** All requests. */
  readonly asked: Asked[];
  /** Sets which requests fail from now on, and how. At first none fails. */
  fail(fault: (asked: Asked) => Fault | undefined): void;
  close(): void;
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

/** Sends Solr's answer up to a point. */
async function cut(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  { after, kind }: Cut,
): Promise<void> {
  let left = after;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    outgoing.write(piece.subarray(0, left));
    left -= piece.length;
    if (left > 0) continue;
    if (kind === "stall") return;
    if (kind === "reset") outgoing.socket?.resetAndDestroy();
    else outgoing.end(kind === "garbage" ? '"}]}}<html>\u0000 not JSON' : "");
    return;
  }
  outgoing.end();
}

/** One for all tests of a file. */
export const useFaultySolr = (): FaultySolr => use(faultySolr, (solr) => solr.close());

async function faultySolr(): Promise<FaultySolr> {
  const endpoint = testEndpoint();
  const asked: Asked[] = [];
  let fault: (one: Asked) => Fault | undefined = () => undefined;
  const server = createServer(async (incoming, outgoing) => {
    const body = await textOf(incoming).catch(() => "");
    const [path, query] = targetOf(incoming, endpoint);
    const type = incoming.headers["content-type"];
    const isForm = type === "application/x-www-form-urlencoded";
    const parameters = new URLSearchParams(isForm ? `${query}&${body}` : query);
    const one = { method: incoming.method ?? "", path, parameters, body };
    asked.push(one);
    const failing = fault(one);
    if (failing && "status" in failing) {
      outgoing.writeHead(failing.status, { "Content-Type": "application/json" }).end(failing.body);
      return;
    }
    const pass = (answer: IncomingMessage): Promise<void> =>
      failing ? cut(answer, outgoing, failing) : sendAll(answer, outgoing);
    onward(endpoint, incoming, outgoing, pass).end(body);
  });
  const url = await listening(server);
  return {
    url,
    asked,
    fail: (next) => {
      fault = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
