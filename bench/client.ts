/**
 * The client of all measurements. It runs as a separate process, executes jobs from its parent, and discards what it
 * downloads. It is the same for the service and for Solr.
 */
import { createReadStream } from "node:fs";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export interface Target {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Expected status of an upload; 200 by default. */
  readonly status?: number;
}

/** The jobs of the client, with input and result. Times in milliseconds. */
export interface Jobs {
  /** Reads to the end; for the time `slowlyFor` only 64 KiB every 100 ms. */
  download: [
    { target: Target; slowlyFor?: number; countLines?: boolean },
    { status: number; whole: number; firstByte: number; bytes: number; lines: number },
  ];
  /** Waits for the first byte of an answer, then disconnects. */
  glance: [{ target: Target }, { firstByte: number }];
  /** Sends a file as JSON to all targets at the same time. */
  upload: [{ targets: readonly Target[]; file: string }, { whole: number }];
  /** Several clients, each with one request after the other; `each` is in the order of targets. */
  series: [{ targets: readonly Target[]; clients: number }, { whole: number; each: number[] }];
  /** Starts to read, then stops reading and keeps the connection open. */
  hold: [{ target: Target; bytes: number }, { status: number }];
  /** Closes the held connections. */
  drop: [Record<string, never>, Record<string, never>];
}

export interface Order<K extends keyof Jobs = keyof Jobs> {
  readonly kind: K;
  readonly job: Jobs[K][0];
}

export type Answer = { readonly result: unknown } | { readonly error: string };

const PIECE = 65_536;
const agent = new Agent({ keepAlive: true });
let held: ClientRequest | undefined;

function open(target: Target, method = "GET"): [ClientRequest, Promise<IncomingMessage>] {
  const call = request(target.url, { method, headers: target.headers, agent });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    call.once("response", resolve).on("error", reject);
  });
  return [call, response];
}

/** Reads to the end; a truncated body is an error. */
function drain(response: IncomingMessage, onPiece?: (piece: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    response.once("end", resolve).once("error", reject);
    response.on("data", onPiece ?? (() => {}));
  });
}

/** Reads at most `maxBytes` bytes, waiting for the first of them. */
async function readSome(response: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  while (!response.readableEnded) {
    const piece = response.read(
      Math.min(maxBytes, response.readableLength || maxBytes),
    ) as Buffer | null;
    if (piece !== null) return piece;
    await sleep(1);
  }
  return undefined;
}

type Do<K extends keyof Jobs> = (job: Jobs[K][0]) => Promise<Jobs[K][1]>;

const download: Do<"download"> = async ({ target, slowlyFor = 0, countLines = false }) => {
  const start = performance.now();
  const [call, reply] = open(target);
  call.end();
  const response = await reply;
  let firstByte = 0;
  let [bytes, lines] = [0, 0];
  const take = (piece: Buffer): void => {
    if (bytes === 0) firstByte = performance.now() - start;
    bytes += piece.length;
    if (!countLines) return;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
  };
  while (performance.now() - start < slowlyFor) {
    const piece = await readSome(response, PIECE);
    if (piece === undefined) break;
    take(piece);
    await sleep(100);
  }
  if (!response.readableEnded) await drain(response, take);
  const whole = performance.now() - start;
  return { status: response.statusCode ?? 0, whole, firstByte, bytes, lines };
};

const glance: Do<"glance"> = async ({ target }) => {
  const start = performance.now();
  const [call, reply] = open(target);
  call.end();
  const response = await reply;
  const piece = await readSome(response, PIECE);
  const firstByte = performance.now() - start;
  call.on("error", () => {}).destroy();
  if (response.statusCode !== 200 || piece === undefined) {
    throw new Error(`${response.statusCode}, nothing to read: ${target.url}`);
  }
  return { firstByte };
};

const upload: Do<"upload"> = async ({ targets, file }) => {
  const start = performance.now();
  const send = async ({ url, headers, status = 200 }: Target): Promise<void> => {
    const json = { ...headers, "Content-Type": "application/json" };
    const [call, reply] = open({ url, headers: json }, "POST");
    createReadStream(file, { highWaterMark: 1 << 18 }).pipe(call);
    const response = await reply;
    let body = "";
    await drain(response, (piece) => {
      if (body.length < 1000) body += piece.toString();
    });
    if (response.statusCode !== status) throw new Error(`upload: ${response.statusCode} ${body}`);
  };
  await Promise.all(targets.map(send));
  return { whole: performance.now() - start };
};

const series: Do<"series"> = async ({ targets, clients }) => {
  const each: number[] = [];
  let next = 0;
  const start = performance.now();
  const one = async (): Promise<void> => {
    for (let index = next++; index < targets.length; index = next++) {
      const target = targets[index] as Target;
      const began = performance.now();
      const [call, reply] = open(target);
      call.end();
      const response = await reply;
      await drain(response);
      each[index] = performance.now() - began;
      const { statusCode } = response;
      if (statusCode !== 200 && statusCode !== 304) throw new Error(`${statusCode}: ${target.url}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, one));
  return { whole: performance.now() - start, each };
};

const hold: Do<"hold"> = async ({ target, bytes }) => {
  const [call, reply] = open(target);
  held = call;
  call.end();
  const response = await reply;
  for (let read = 0; read < bytes; ) {
    const piece = await readSome(response, PIECE);
    if (piece === undefined) break;
    read += piece.length;
  }
  return { status: response.statusCode ?? 0 };
};

const drop: Do<"drop"> = async () => {
  held?.on("error", () => {}).destroy();
  held = undefined;
  return {};
};

const jobs: { readonly [K in keyof Jobs]: Do<K> } = {
  download,
  glance,
  upload,
  series,
  hold,
  drop,
};

process.on("message", async ({ kind, job }: Order) => {
  let answer: Answer;
  try {
    answer = { result: await (jobs[kind] as Do<typeof kind>)(job as never) };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.send?.(answer);
});
process.on("disconnect", () => process.exit());
