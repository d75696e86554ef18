/** A reading process that is stuck costs its own order, after its time, and nothing else. */
import { type ChildProcess, spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ReadingPool } from "../../../../src/files/zarr/worker/pool.js";
import { startReader } from "../../../../src/files/zarr/worker/start-reader.js";
import { expectBelow } from "../../../support/run/bounds.js";
import { freshFolder } from "../../../support/run/folders.js";
import { use } from "../../../support/run/use.js";
import { makeFiles } from "../files.js";

/** Milliseconds an order has, and the second that the pool gives a process to notice by itself. */
const TIME = 3000;
const GRACE = 1000;
const STUCK = new URL("./stuck-worker.ts", import.meta.url);

const files = use(() => makeFiles("small"));
const folder = freshFolder();
let pool: ReadingPool;
let started: ChildProcess[];

function newPool(): void {
  started = [];
  const start = (): ChildProcess => {
    const child = startReader({ memory: 512 << 20, script: STUCK });
    started.push(child);
    return child;
  };
  pool = new ReadingPool({ readers: 2, time: TIME, start });
}

/** Those that run still, as the operating system has it. */
const running = (): ChildProcess[] =>
  started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);

afterEach(() => pool.close());

const index = (path: string) => pool.run({ kind: "index", path });
const reads = (name: string) => index(files.path(name));
const timeout = expect.objectContaining({ kind: "reading-timeout" });

/** Both processes up: what starting one takes on a slow machine is no part of the tests. */
async function warmUp(): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const outcomes = await Promise.allSettled([reads("small_3.nc"), reads("small_5.nc")]);
    if (outcomes.every(({ status }) => status === "fulfilled")) return;
  }
  throw new Error("the processes do not start");
}

describe("a process in a loop that never looks at its clock", () => {
  it("is ended after its time while others go on, and a fresh one serves the next order", async () => {
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
    expectBelow(took, TIME + GRACE + 3000);
    // Two at once need the process that takes the place of the ended one.
    await warmUp();
    expect(started.length).toBeGreaterThan(before);
    // Its loop is over.
    await expect.poll(() => running().length).toBe(2);
  });

  it("keeps the next order waiting, not lost, if all of them loop", async () => {
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

describe("a process in a read that does not return", () => {
  it("is ended after its time, and a fresh one serves", async () => {
    newPool();
    await warmUp();
    const pipe = join(folder, "a.pipe");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const known = new Set(started);
    await expect(index(pipe)).rejects.toEqual(timeout);
    await warmUp();
    expect(started.some((child) => !known.has(child))).toBe(true);
    await expect.poll(() => running().length).toBe(2);
  });
});
