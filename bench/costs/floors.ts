/**
 * The floors: the least that a server can do for an answer of the same kind. A process of its own serves them all, on one
 * port each: Hono alone with the service's headers; a relay that passes Solr's answer on; a reader that sends bytes of a file.
 *
 *     floors.ts    with FLOORS (JSON of the inputs)
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { openSync, read } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { Agent, request } from "undici";
import { exactCpuSecondsOf } from "../service.js";

/** Addresses of the floors, and their process. */
export interface Floors {
  readonly hono: string;
  /** Takes paths below Solr's own address. */
  readonly relay: string;
  /** Takes `/offset/length`. */
  readonly reader: string;
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

export interface FloorInputs {
  /** Solr's address, without a slash at its end. */
  readonly solr: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: string;
  /** Headers of an answer of the service, for Hono alone. */
  readonly answerHeaders: Readonly<Record<string, string>>;
}

export async function startFloors(inputs: FloorInputs): Promise<Floors> {
  const env = { ...process.env, FLOORS: JSON.stringify(inputs) };
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ["serve-floors"], { env });
  const [ports] = (await once(child, "message")) as [Record<"hono" | "relay" | "reader", number>];
  const address = (name: keyof typeof ports): string => `http://127.0.0.1:${ports[name]}`;
  return {
    hono: `${address("hono")}/ping`,
    relay: address("relay"),
    reader: address("reader"),
    cpuSeconds: () => exactCpuSecondsOf(child.pid ?? 0),
    stop: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function serveFloors({ solr, headers, file, answerHeaders }: FloorInputs): Promise<void> {
  const app = new Hono().get("/ping", (c) => c.json({ status: "ok" }, 200, { ...answerHeaders }));
  const hono = await new Promise<number>((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port));
  });
  const dispatcher = new Agent();
  const pass = async (path: string, response: ServerResponse): Promise<void> => {
    const { statusCode, body } = await request(solr + path, { headers, dispatcher });
    response.writeHead(statusCode);
    body.pipe(response);
  };
  const relay = await listen(({ url = "" }, response) => {
    pass(url, response).catch((error) => response.destroy(error));
  });
  const descriptor = openSync(file, "r");
  const reader = await listen(({ url = "" }, response) => {
    const [, offset, length] = url.split("/").map(Number) as [number, number, number];
    read(descriptor, Buffer.allocUnsafe(length), 0, length, offset, (error, _, bytes) => {
      if (error) response.destroy(error);
      else response.writeHead(200, { "content-length": length }).end(bytes);
    });
  });
  process.send?.({ hono, relay, reader });
}

if (process.argv[2] === "serve-floors") await serveFloors(JSON.parse(process.env.FLOORS ?? "{}"));
