/** Who gets a permit, in which order, and who is refused. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  FairSemaphore,
  type Permit,
  type PermitRequest,
  type SemaphoreOptions,
} from "../../src/platform/concurrency/fair-semaphore.js";

class Refused extends Error {}
class Aborted extends Error {}

interface Named extends PermitRequest {
  readonly name: string;
}

/** A semaphore whose decisions are written down in their order. */
function semaphoreOf(options: Partial<SemaphoreOptions<Named>> = {}) {
  const semaphore = new FairSemaphore<Named>({
    permits: 1,
    maxWaiting: 100,
    refused: () => new Refused(),
    ...options,
  });
  const granted: string[] = [];
  const failed: string[] = [];
  const permits: Permit[] = [];
  /** Requests a permit by the name of the request, such as `a1` of the client `a`. */
  const ask = (name: string, more: Partial<Named> = {}): void =>
    semaphore.request(
      { name, client: name.charAt(0), ...more },
      (permit) => {
        granted.push(name);
        permits.push(permit);
      },
      (error) => failed.push(`${name} ${error.constructor.name}`),
    );
  const releaseAll = (): void => {
    for (let next = permits.shift(); next !== undefined; next = permits.shift()) next.release();
  };
  return { semaphore, ask, granted, failed, permits, releaseAll };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("a fair semaphore", () => {
  it("gives out its permits, and each again when it is released", () => {
    const { semaphore, ask, granted, permits } = semaphoreOf({ permits: 2 });
    for (const name of ["a1", "a2", "a3"]) ask(name);
    expect(granted).toEqual(["a1", "a2"]);
    expect(semaphore.usage).toEqual({ taken: 2, waiting: 1, refused: 0 });
    expect(permits[0]?.isWanted()).toBe(true);
    permits[0]?.release();
    permits[0]?.release();
    expect(granted).toEqual(["a1", "a2", "a3"]);
    expect(permits[1]?.isWanted()).toBe(false);
    expect(semaphore.tryAcquire({ name: "a4" })).toBeUndefined();
    for (const permit of permits) permit.release();
    expect(semaphore.usage).toEqual({ taken: 0, waiting: 0, refused: 0 });
    expect(semaphore.tryAcquire({ name: "a4" })).toBeDefined();
  });

  it("alternates between clients, however many requests one of them has", () => {
    const { ask, granted, releaseAll } = semaphoreOf();
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) ask(name);
    releaseAll();
    expect(granted).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  it("alternates between clients at each level of their keys", () => {
    const { ask, granted, releaseAll } = semaphoreOf();
    ask("first", { client: ["x", "x"] });
    for (const [address, name] of ["a1", "a1", "a2", "b1", "b1"].map((text) => [...text])) {
      ask(`${address}${name}`, { client: [address ?? "", name ?? ""] });
    }
    releaseAll();
    expect(granted).toEqual(["first", "a1", "b1", "a2", "b1", "a1"]);
  });

  it("alternates between requests without a client and clients", () => {
    const { ask, granted, releaseAll } = semaphoreOf();
    ask("a1");
    for (const name of ["u1", "u2"]) ask(name, { client: undefined });
    ask("a2");
    releaseAll();
    expect(granted).toEqual(["a1", "u1", "a2", "u2"]);
  });

  it("never gives one client more permits than its bound, and gives the rest to others", () => {
    const perClient = { permits: 2, waiting: 10 };
    const { ask, granted, permits } = semaphoreOf({ permits: 3, perClient });
    for (const name of ["a1", "a2", "a3", "a4", "b1"]) ask(name);
    expect(granted).toEqual(["a1", "a2", "b1"]);
    permits[2]?.release();
    // A permit is free, but not for the client that waits.
    expect(granted).toHaveLength(3);
    permits[0]?.release();
    expect(granted).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("bounds the waiting requests of one client and of all, and counts the refused ones", () => {
    const perClient = { permits: 3, waiting: 2 };
    const { semaphore, ask, failed } = semaphoreOf({ maxWaiting: 3, perClient });
    for (const name of ["x1", "a1", "a2", "a3", "b1", "c1"]) ask(name);
    expect(failed).toEqual(["a3 Refused", "c1 Refused"]);
    expect(semaphore.usage).toEqual({ taken: 1, waiting: 3, refused: 2 });
  });

  it("does not bound requests without a client on their own", () => {
    const perClient = { permits: 1, waiting: 1 };
    const { ask, granted, failed } = semaphoreOf({ permits: 2, perClient });
    for (const name of ["1", "2", "3", "4"]) ask(name, { client: undefined });
    expect(granted).toEqual(["1", "2"]);
    expect(failed).toEqual([]);
  });

  it("evicts the last request of the largest client, preferred ones at the end", () => {
    const { semaphore, ask, failed, granted, releaseAll } = semaphoreOf({
      maxWaiting: () => 3,
      evictsLargest: true,
    });
    for (const name of ["x1", "a1", "a2", "b1", "c1"]) ask(name);
    expect(failed).toEqual(["a2 Refused"]);
    for (const name of ["d1", "e1", "f1", "g1"]) ask(name, { isPreferred: true });
    expect(failed.slice(1)).toEqual(["c1", "b1", "a1", "f1"].map((name) => `${name} Refused`));
    expect(semaphore.usage).toEqual({ taken: 1, waiting: 3, refused: 5 });
    releaseAll();
    expect(granted).toEqual(["x1", "d1", "e1", "g1"]);
  });

  it("refuses a request if no queue is allowed, also with eviction", () => {
    const { ask, failed } = semaphoreOf({ maxWaiting: 0, evictsLargest: true });
    ask("a1");
    ask("b1");
    expect(failed).toEqual(["b1 Refused"]);
  });

  it("serves preferred requests first, and resumed ones before others of their client", () => {
    const { ask, granted, releaseAll } = semaphoreOf({ maxWaiting: 5 });
    ask("x1");
    for (const name of ["a1", "a2", "b1"]) ask(name);
    ask("c1", { isPreferred: true });
    ask("b2");
    // The queue is full, but work that has begun may end.
    for (const name of ["a3", "a4"]) ask(name, { isResumed: true });
    releaseAll();
    expect(granted).toEqual(["x1", "c1", "a3", "b1", "a4", "b2", "a1", "a2"]);
  });

  it("fails requests that wait for too long, except resumed ones", () => {
    const { semaphore, ask, failed, granted, releaseAll } = semaphoreOf({ timeoutMs: 1000 });
    ask("x1");
    ask("a1");
    ask("a2", { isResumed: true });
    vi.advanceTimersByTime(999);
    expect(failed).toEqual([]);
    ask("b1");
    vi.advanceTimersByTime(1);
    expect(failed).toEqual(["a1 Refused"]);
    expect(semaphore.usage).toEqual({ taken: 1, waiting: 2, refused: 1 });
    releaseAll();
    expect(granted).toEqual(["x1", "a2", "b1"]);
    vi.advanceTimersByTime(10_000);
    expect(failed).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("drops requests whose signal is aborted, without counting them as refused", () => {
    const { semaphore, ask, failed, granted, releaseAll } = semaphoreOf({
      aborted: () => new Aborted(),
    });
    const stop = new AbortController();
    ask("x1", { signal: stop.signal });
    ask("a1", { signal: stop.signal });
    ask("b1");
    stop.abort();
    ask("c1", { signal: stop.signal });
    expect(failed).toEqual(["a1 Aborted", "c1 Aborted"]);
    // The permit that is held stays held.
    expect(semaphore.usage).toEqual({ taken: 1, waiting: 1, refused: 0 });
    releaseAll();
    expect(granted).toEqual(["x1", "b1"]);
    const { ask: other, failed: others } = semaphoreOf();
    other("a1", { signal: stop.signal });
    expect(others).toEqual(["a1 Refused"]);
  });

  it("passes over requests that may not run, until they may", () => {
    const blocked = new Set(["a1", "b1"]);
    const { semaphore, ask, granted, permits } = semaphoreOf({
      permits: 3,
      mayRun: ({ name }) => !blocked.has(name),
    });
    for (const name of ["a1", "a2", "b1", "c1"]) ask(name);
    expect(granted).toEqual(["a2", "c1"]);
    blocked.delete("b1");
    semaphore.serve();
    expect(granted).toEqual(["a2", "c1", "b1"]);
    // A request that waits comes before one that arrives.
    blocked.delete("a1");
    permits[0]?.release();
    expect(granted.at(-1)).toBe("a1");
    const {
      ask: next,
      granted: order,
      permits: held,
    } = semaphoreOf({
      mayRun: ({ name }) => !blocked.has(name),
    });
    blocked.add("a1");
    next("a1");
    blocked.delete("a1");
    next("b1");
    expect(order).toEqual(["a1"]);
    held[0]?.release();
    expect(order).toEqual(["a1", "b1"]);
  });

  it("fails the waiting requests that match", () => {
    const { semaphore, ask, failed, granted, releaseAll } = semaphoreOf();
    for (const name of ["x1", "a1", "b1"]) ask(name);
    ask("c1", { isPreferred: true });
    semaphore.failWaiting(
      ({ name }) => name !== "b1",
      () => new Aborted(),
    );
    expect(failed.sort()).toEqual(["a1 Aborted", "c1 Aborted"]);
    releaseAll();
    expect(granted).toEqual(["x1", "b1"]);
  });

  it("holds a permit while work runs, and starts work at once if a permit is free", async () => {
    const { semaphore } = semaphoreOf();
    let isRunning = false;
    const work = semaphore.run({ name: "a1" }, async () => {
      isRunning = true;
      return "done";
    });
    expect(isRunning).toBe(true);
    const failing = semaphore.run({ name: "a2" }, () => {
      throw new Error("no");
    });
    const last = semaphore.acquire({ name: "a3" });
    expect(semaphore.usage).toMatchObject({ taken: 1, waiting: 2 });
    expect(await work).toBe("done");
    await expect(failing).rejects.toThrow("no");
    (await last).release();
    expect(semaphore.usage).toEqual({ taken: 0, waiting: 0, refused: 0 });
  });
});
