/** A reading thread that is stuck costs its own order, after its time, and nothing else. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ReadingPool } from "../../src/zarr/worker/pool.js";
import { startWorker } from "../../src/zarr/worker/start-worker.js";
import { makeFiles, type TestFiles } from "./files.js";

/** Milliseconds an order has, and the second that the pool gives a thread to notice by itself. */
const TIME = 3000;
const GRACE = 1000;
const STUCK = new URL("./stuck-worker.ts", import.meta.url);

let files: TestFiles;
let folder: string;
let pool: ReadingPool;
let started: Worker[];

beforeAll(async () => {
  files = await makeFiles("small");
  folder = await mkdtemp(join(tmpdir(), "climate-stuck-"));
});

afterAll(async () => {
  await files.remove();
  await rm(folder, { recursive: true, force: true });
});

function newPool(): void {
  started = [];
  const start = (): Worker => {
    const worker = startWorker(STUCK);
    started.push(worker);
    return worker;
  };
  pool = new ReadingPool({ threads: 2, time: TIME, start });
}

afterEach(() => pool.close());

const index = (path: string) => pool.run({ kind: "index", path });
const reads = (name: string) => index(files.path(name));
const timeout = expect.objectContaining({ kind: "reading-timeout" });

/** Both threads up: what starting one takes on a slow machine is no part of the tests. */
async function warmUp(): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const outcomes = await Promise.allSettled([reads("small_3.nc"), reads("small_5.nc")]);
    if (outcomes.every(({ status }) => status === "fulfilled")) return;
  }
  throw new Error("the threads do not start");
}

describe("a thread in a loop that never looks at its clock", () => {
  it("is ended after its time, while others go on, and a fresh one serves what comes next", async () => {
    newPool();
    await warmUp();
    const before = started.length;
    const begin = performance.now();
    let isOver = false;
    const stuck = index(join(folder, "a.loop")).catch((error: unknown) => {
      isOver = true;
      return error;
    });
    for (let i = 0; i < 5; i++) expect((await reads("small_3.nc")).format).toBe("NetCDF-3");
    expect(isOver).toBe(false);
    expect(await stuck).toEqual(timeout);
    const took = performance.now() - begin;
    expect(took).toBeGreaterThan(TIME);
    expect(took).toBeLessThan(TIME + GRACE + 3000);
    // Two at once need the thread that takes the place of the ended one.
    await warmUp();
    expect(started.length).toBeGreaterThan(before);
    // Its loop is over: a thread that ended has no number any more.
    await expect
      .poll(() => started.filter(({ threadId }) => threadId < 0).length)
      .toBe(started.length - 2);
  });

  it("in all of them at once leaves the next order waiting, not lost", async () => {
    newPool();
    await warmUp();
    const stuck = ["a.loop", "b.loop"].map((name) => index(join(folder, name)));
    const next = reads("small_3.nc");
    for (const outcome of await Promise.allSettled(stuck)) {
      expect(outcome).toEqual({ status: "rejected", reason: timeout });
    }
    expect((await next).format).toBe("NetCDF-3");
  });
});

describe("a thread in a read that does not return", () => {
  it("is given up after its time, a fresh one serves, and it ends once the read does", async () => {
    newPool();
    await warmUp();
    const pipe = join(folder, "a.pipe");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const known = new Set(started);
    await expect(index(pipe)).rejects.toEqual(timeout);
    await warmUp();
    expect(started.some((worker) => !known.has(worker))).toBe(true);
    const lost = started.filter(({ threadId }) => threadId >= 0);
    expect(lost).toHaveLength(3);
    // Somebody writes at last: the read returns, and the thread ends, as it was told to.
    const ended = Promise.race(lost.map((worker) => once(worker, "exit")));
    await (await open(pipe, "w")).close();
    await ended;
    expect(started.filter(({ threadId }) => threadId >= 0)).toHaveLength(2);
  });
});
