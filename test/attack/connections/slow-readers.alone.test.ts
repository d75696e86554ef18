/** Thousands of clients that ask for a long list and do not read it. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { attempts, patience, tried } from "../../support/run/trials.js";
import { use } from "../../support/run/use.js";
import { useService } from "../../support/service/use-service.js";
import { handles, type Pings, startCrowd } from "./crowd.js";

const READERS = attempts(300, 5000);
const LINES = 1200;
/** What a list that nobody reads may take of the service's memory, and all of it beside that; in bytes. */
const READER = 384 << 10;
const SLACK = 64 << 20;
const LIST = "/databrowser/data-search/native/file";

/** More than the buffers of a connection that nobody reads take. */
const NAMES = Array.from(
  { length: LINES },
  (_, index) => `/pool/${"long-name/".repeat(120)}${String(index).padStart(4, "0")}.nc`,
);
const WHOLE = createHash("sha256")
  .update(
    NAMES.map((name) => `${name}\n`)
      .reverse()
      .join(""),
  )
  .digest("hex");

const service = useService({
  // A waiting reader needs those before it to count as slow, which takes less here than the usual ten seconds.
  load: {
    searches: 16,
    exports: 8,
    heavy: 2,
    waiting: 2 * READERS,
    maxWaitMs: 600_000,
    pace: { pause: 20, slice: 1000 },
  },
  connections: { max: READERS + 100, unreadMs: 3_600_000 },
  documents: NAMES.map((file) => ({ file, project: ["cmip6"] })),
});
const crowd = use(
  async () => startCrowd(service.address),
  (one) => one.end(),
);

/** Asks for the list as often as it is to be asked for, and does not read it. */
async function startReaders() {
  const { hostname, port } = new URL(service.address);
  const script = packagePath("test", "attack", "connections", "slow_readers.py");
  const args = [script, hostname, port, PREFIX + LIST, String(READERS)];
  const child = spawn("python3", args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const answer = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? "null");
  return {
    statuses: await answer(),
    read: (count: number): Promise<unknown> => {
      child.stdin.write(`read ${count}\n`);
      return answer();
    },
    leave: () => child.stdin.end(),
  };
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes of this process, once what nobody needs is collected. */
async function memory(): Promise<number> {
  for (let turn = 0; turn < 3; turn += 1) {
    collect();
    await sleep(100);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe("slow readers of a long list", () => {
  it(
    "use bounded memory, delay nobody, and get the complete list when they read on",
    async () => {
      const before = await memory();
      const sockets = handles().TCPSocketWrap ?? 0;
      const idle = await crowd.pingFor(1000);
      await crowd.tell("pings");
      const readers = await startReaders();
      expect(readers.statuses).toEqual({ 200: READERS });
      const begun = await crowd.tell<Pings>("pings");
      const taken = (await memory()) - before;
      const resident = process.memoryUsage().rss;
      // They are being answered: no buffers on the way hold a whole list.
      expect((handles().TCPSocketWrap ?? 0) - sockets).toBeGreaterThanOrEqual(READERS);
      const later = await crowd.pingFor(attempts(2000, 20_000));
      tried(READERS);
      console.log(
        `${READERS} slow readers: ${(taken / 2 ** 20).toFixed(0)} MB of memory (${(taken / READERS / 1024).toFixed(0)} kB ` +
          `each), ${(resident / 2 ** 20).toFixed(0)} MB resident; ping p99 ${begun.p99.toFixed(0)} ms of ${begun.pings} while ` +
          `they come, ${later.p99.toFixed(0)} ms of ${later.pings} after, ${idle.p99.toFixed(0)} ms before`,
      );
      expect(taken).toBeLessThan(READERS * READER + SLACK);
      expect(Math.max(begun.p99, later.p99)).toBeLessThan(200 + 4 * idle.p99);
      expect(await readers.read(5)).toEqual(Array(5).fill(WHOLE));
      readers.leave();
      await expect.poll(() => handles().TCPSocketWrap ?? 0).toBeLessThanOrEqual(sockets + 16);
      await expect.poll(memory, { timeout: 10_000 }).toBeLessThan(before + SLACK);
      expect((await service.get(LIST)).status).toBe(200);
    },
    patience(60_000, 900_000),
  );
});
