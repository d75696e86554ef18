/** The pool of workers: what it answers, and what one bad question may cost the others. */
import { spawn } from "node:child_process";
import { serialize } from "node:v8";
import { afterEach, describe, expect, it } from "vitest";
import { Budget, type Lease } from "../../src/platform/concurrency/budget.js";
import { frame, unframed } from "../../src/platform/workers/frames.js";
import type { Loss, WorkerPoolOptions } from "../../src/platform/workers/pool-options.js";
import { startProcess } from "../../src/platform/workers/start-worker.js";
import { WorkerPool } from "../../src/platform/workers/worker-pool.js";
import type { OddQuestion } from "./odd-program.js";

const PROGRAM = new URL("./odd-program.js", import.meta.url);
/** Milliseconds that a question has. */
const TIMEOUT = 600;
const processes = { start: () => startProcess(PROGRAM, {}) };
const KINDS = [
  ["threads", { program: PROGRAM }],
  ["processes", processes],
] as const;

let pool: WorkerPool<OddQuestion, unknown>;
afterEach(() => pool.close());

function usePool(options: Partial<WorkerPoolOptions>): void {
  pool = new WorkerPool({ max: 2, timeout: TIMEOUT, ...options });
}
const echo = (value: unknown): Promise<unknown> => pool.ask({ kind: "echo", value });
/** Starts both workers: how long that takes is no part of a test. */
const warmUp = () => Promise.all([echo(1), echo(2)]);

describe.each(KINDS)("a pool of %s", (_, kind) => {
  it("answers with large and small arrays wherever they are", async () => {
    usePool(kind);
    const large = Float64Array.from({ length: 10_000 }, (_, i) => i / 3);
    const value = new Map<string, unknown>([
      ["a", { large, same: large, small: Uint8Array.of(1, 2, 3), none: undefined }],
      ["b", [new Uint32Array(5000).fill(7), BigInt64Array.of(-1n), new Uint8Array(0)]],
    ]);
    expect(await echo(value)).toEqual(value);
    const bytes = new Uint8Array(3 << 20).fill(9);
    expect(Buffer.compare((await echo(bytes)) as Uint8Array, bytes)).toBe(0);
    expect(await echo(new Uint8Array(0))).toEqual(new Uint8Array(0));
  });

  it("ends a worker that does not return, and answers others meanwhile", async () => {
    usePool(kind);
    await warmUp();
    const stuck = expect(pool.ask({ kind: "loop" })).rejects.toThrow("the worker does not answer");
    for (let i = 0; i < 5; i++) expect(await echo(i)).toBe(i);
    await stuck;
    // It takes the place of another until it has ended.
    await expect.poll(() => pool.usage.workers).toBe(1);
    await warmUp();
    expect(pool.usage).toEqual({ waiting: 0, workers: 2, busy: 0 });
  });

  it("fails the question of a worker that ends, and answers the questions that wait", async () => {
    usePool({ ...kind, max: 1 });
    const exits = expect(pool.ask({ kind: "exit" })).rejects.toMatchObject({
      name: "WorkerFailed",
    });
    expect(await Promise.all([1, 2, 3].map(echo))).toEqual([1, 2, 3]);
    await exits;
  });

  it("gives a worker that sends heartbeats more time, and passes on the code of an error", async () => {
    usePool(kind);
    expect(await pool.ask({ kind: "work", milliseconds: 3 * TIMEOUT })).toBe("done");
    await expect(pool.ask({ kind: "fail" })).rejects.toThrow("EACCES");
  });

  it("refuses a subject that has ended three workers, in the version that did", async () => {
    usePool({ ...kind, errorOf: (loss) => new Error(loss) });
    const ask = (kind: "exit" | "fail", version: string) =>
      pool.ask({ kind }, { subject: { key: "a", version } });
    await warmUp();
    for (let i = 0; i < 3; i++) {
      await expect(ask("exit", "1")).rejects.toThrow("ended");
      await warmUp();
    }
    await expect(ask("fail", "1")).rejects.toThrow("quarantined");
    await expect(ask("fail", "2")).rejects.toThrow("failed");
  });
});

describe("the memory of a pool", () => {
  const refused = () => new Error("no memory");

  it("is bounded: a process that takes all of it ends", async () => {
    const memory = { budget: new Budget(200 << 20, { refused }), handOver: () => {} };
    usePool({ ...processes, memory, errorOf: (loss) => new Error(loss), timeout: 30_000 });
    await expect(pool.ask({ kind: "grow" })).rejects.toThrow("too-large");
    expect(await echo("others")).toBe("others");
  });

  it("keeps a question waiting for what others have booked, not for what its own client has", async () => {
    const budget = new Budget(100 << 20, { refused });
    const lease = budget.takeNow(50 << 20);
    const memory = { budget, handOver: (_: unknown, own: Lease) => own.release() };
    usePool({ ...processes, memory, errorOf: (loss) => new Error(loss), timeout: 30_000 });
    const done: string[] = [];
    const ask = async (value: string, held: number): Promise<void> => {
      await pool.ask({ kind: "echo", value }, { cost: 60 << 20, held });
      done.push(value);
    };
    const waiting = ask("others", 0);
    await ask("own", 50 << 20);
    expect(done).toEqual(["own"]);
    lease.release();
    await waiting;
  });

  it("is booked for a large answer until the lease is released, and an answer that does not fit fails", async () => {
    const budget = new Budget(64 << 20, { refused });
    const leases: Lease[] = [];
    const memory = { budget, handOver: (_: unknown, lease: Lease) => void leases.push(lease) };
    const options = { ...processes, errorOf: (loss: Loss) => new Error(loss), timeout: 30_000 };
    usePool({ ...options, memory });
    await echo(new Uint8Array(5 << 20));
    expect(budget.booked).toBeGreaterThan(5 << 20);
    leases[0]?.release();
    expect(budget.booked).toBe(0);
    pool.close();
    usePool({ ...options, memory: { ...memory, budget: new Budget(8 << 20, { refused }) } });
    await expect(echo(new Uint8Array(9 << 20))).rejects.toThrow("broken");
  });
});

describe("a process that sends nonsense", () => {
  /** Sends the rest of a frame, whatever it is asked. */
  const sending = (rest: Buffer) => () => {
    const program = `
      const [head, rest] = [Buffer.alloc(8), Buffer.from("${rest.toString("base64")}", "base64")];
      head.writeUInt32LE(rest.length, 4);
      fs.writeSync(3, head);
      for (let at = 0; at < rest.length; ) at += fs.writeSync(3, rest, at);
      process.stdin.resume();`;
    const stdio = ["pipe", "ignore", "inherit", "pipe"] as const;
    return spawn(process.execPath, ["-e", program], { stdio: [...stdio], detached: true });
  };
  const answered = (answer: unknown) =>
    sending(serialize({ kind: "answer", answer: { answer, long: "x".repeat(50_000) } }));

  it.each([
    ["no message", sending(Buffer.alloc(50_000))],
    ["a message of no kind", sending(serialize(null))],
    ["a failure without a reason", sending(serialize({ kind: "failure" }))],
    ["an answer of another form", answered(null)],
  ])("loses its question and its memory: %s", async (_, start) => {
    const budget = new Budget(64 << 20, { refused: () => new Error("no memory") });
    const handOver = (answer: unknown, lease: Lease): void => {
      if ((answer as { answer: unknown }).answer === null) throw new TypeError("null");
      lease.release();
    };
    const errorOf = (loss: Loss, cause: unknown): Error => {
      if (loss === "failed") return new Error((cause as { message: string }).message);
      return new Error(loss);
    };
    usePool({ start, max: 1, memory: { budget, handOver }, errorOf, timeout: 30_000 });
    for (let i = 0; i < 2; i++) await expect(echo(i)).rejects.toThrow("broken");
    expect(pool.usage).toEqual({ waiting: 0, workers: 0, busy: 0 });
    await expect.poll(() => budget.booked).toBe(0);
  });
});

describe("a frame", () => {
  it("has the bytes of an answer as they lie in memory, and of other arrays what they show", () => {
    const chunk = new Uint8Array(1 << 20);
    expect(frame({ kind: "answer", answer: chunk })[1]).toBe(chunk);
    const part = new Uint32Array(new Uint32Array(50_000).buffer, 400, 2000);
    expect(Buffer.concat(frame({ part })).length).toBeLessThan(8200);
  });

  it("gives each array memory of its own", () => {
    const [, , rest = new Uint8Array(0)] = frame({
      long: "x".repeat(9999),
      small: Buffer.of(1, 2),
    });
    const { small } = unframed(Buffer.alloc(0), Buffer.from(rest)) as { small: Uint8Array };
    expect([...small]).toEqual([1, 2]);
    expect(small.buffer.byteLength).toBe(2);
  });
});
