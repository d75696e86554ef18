import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { remembered, SingleFlight } from "../../src/platform/concurrency/single-flight.js";

describe("the next run", () => {
  it("starts after its request, and is shared by all who wait for it", async () => {
    const runs = new SingleFlight<number>();
    let [begun, now] = [0, 0];
    const work = async (): Promise<number> => {
      begun += 1;
      const seen = now;
      await turn();
      return seen;
    };
    const first = runs.next(work, "file");
    now = 1;
    const others = [runs.next(work, "file"), runs.next(work, "file"), runs.next(work, "file")];
    expect(await first).toBe(0);
    expect(await Promise.all(others)).toEqual([1, 1, 1]);
    expect(begun).toBe(2);
    now = 2;
    expect(await runs.next(work, "file")).toBe(2);
  });

  it("does not wait for a run of another key", async () => {
    const runs = new SingleFlight<string>();
    void runs.next(() => new Promise(() => {}), "stuck");
    expect(await runs.next(async () => "done", "other")).toBe("done");
  });

  it("fails for those who share it, and starts again for later callers", async () => {
    const runs = new SingleFlight<string>();
    let isBroken = true;
    const work = async (): Promise<string> => {
      await turn();
      if (isBroken) throw new Error("broken");
      return "whole";
    };
    const first = runs.next(work, "file");
    const second = runs.next(work, "file");
    await expect(first).rejects.toThrow("broken");
    isBroken = false;
    expect(await second).toBe("whole");
    expect(await runs.next(work, "file")).toBe("whole");
  });

  it("is joined by a call in between", async () => {
    const runs = new SingleFlight<number>();
    let [begun, mostAtOnce, atOnce] = [0, 0, 0];
    const work = async (): Promise<number> => {
      const number = ++begun;
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      await turn();
      atOnce -= 1;
      return number;
    };
    const all = [runs.join(work), runs.next(work), runs.join(work)];
    expect(await Promise.all(all)).toEqual([1, 2, 1]);
    expect([begun, mostAtOnce]).toEqual([2, 1]);
  });
});

describe("the run in progress", () => {
  it("is shared by all who call during it, with its answer or its error", async () => {
    const runs = new SingleFlight<number>();
    let begun = 0;
    const work = async (): Promise<number> => {
      begun += 1;
      await turn();
      if (begun === 2) throw new Error("broken");
      return begun;
    };
    expect(await Promise.all([runs.join(work), runs.join(work)])).toEqual([1, 1]);
    const failed = await Promise.allSettled([runs.join(work), runs.join(work)]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await runs.join(work)).toBe(3);
  });

  it("goes on for the others when one caller leaves", async () => {
    const runs = new SingleFlight<string>();
    const [leaving, staying] = [new AbortController(), new AbortController()];
    let stopped: AbortSignal | undefined;
    const work = async (stop: AbortSignal | undefined): Promise<string> => {
      stopped = stop;
      await turn();
      return "done";
    };
    const left = runs.join(work, "chunk", leaving.signal);
    const stayed = runs.join(work, "chunk", staying.signal);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(stopped?.aborted).toBe(false);
    expect(await stayed).toBe("done");
  });

  it("is stopped when all callers have left, and joined by nobody after that", async () => {
    const runs = new SingleFlight<string>();
    const leaving = [new AbortController(), new AbortController()];
    const stops: AbortSignal[] = [];
    const work = (stop: AbortSignal | undefined): Promise<string> => {
      if (stop !== undefined) stops.push(stop);
      return new Promise((_, reject) => {
        stop?.addEventListener("abort", () => reject(new Error("stopped")));
      });
    };
    const all = leaving.map(({ signal }) => runs.join(work, "chunk", signal));
    for (const one of leaving) one.abort(new Error("gone"));
    for (const one of all) await expect(one).rejects.toThrow("gone");
    expect(stops.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await runs.join(async () => "anew", "chunk", new AbortController().signal)).toBe("anew");
  });

  it("is not stopped while a caller without a signal waits", async () => {
    const runs = new SingleFlight<string>();
    const leaving = new AbortController();
    const work = async (stop: AbortSignal | undefined): Promise<string> => {
      await turn();
      return stop?.aborted === false ? "done" : "stopped";
    };
    const left = runs.join(work, "chunk", leaving.signal);
    const stayed = runs.join(work, "chunk");
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(await stayed).toBe("done");
  });

  it("is not started for a caller who has already left", async () => {
    const runs = new SingleFlight<string>();
    let begun = 0;
    const work = async (): Promise<string> => {
      begun += 1;
      return "done";
    };
    await expect(runs.join(work, "chunk", AbortSignal.abort(new Error("gone")))).rejects.toThrow(
      "gone",
    );
    expect(begun).toBe(0);
  });
});

describe("a cached answer", () => {
  it("is shared by all later calls; a failure is not", async () => {
    const cache = new Map<string, Promise<number>>();
    let begun = 0;
    const work = async (): Promise<number> => {
      begun += 1;
      await turn();
      if (begun === 1) throw new Error("broken");
      return begun;
    };
    const failed = [remembered(cache, "a", work), remembered(cache, "a", work)];
    for (const one of failed) await expect(one).rejects.toThrow("broken");
    expect(await remembered(cache, "a", work)).toBe(2);
    expect(await remembered(cache, "a", work)).toBe(2);
    expect(await remembered(cache, "b", work)).toBe(3);
  });
});
