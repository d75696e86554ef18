import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { NextRun } from "../src/platform/coalescing.js";

describe("work that several ask for at once", () => {
  it("is done for each after it was asked for, and once for all who wait together", async () => {
    const runs = new NextRun<number>();
    let [begun, now] = [0, 0];
    const work = async (): Promise<number> => {
      begun += 1;
      const seen = now;
      await turn();
      return seen;
    };
    const first = runs.run("file", work);
    now = 1;
    const others = [runs.run("file", work), runs.run("file", work), runs.run("file", work)];
    expect(await first).toBe(0);
    expect(await Promise.all(others)).toEqual([1, 1, 1]);
    expect(begun).toBe(2);
    now = 2;
    expect(await runs.run("file", work)).toBe(2);
  });

  it("of another key does not wait", async () => {
    const runs = new NextRun<string>();
    void runs.run("stuck", () => new Promise(() => {}));
    expect(await runs.run("other", async () => "done")).toBe("done");
  });

  it("that fails, fails those who share it, and is done again for the next", async () => {
    const runs = new NextRun<string>();
    let isBroken = true;
    const work = async (): Promise<string> => {
      await turn();
      if (isBroken) throw new Error("broken");
      return "whole";
    };
    const first = runs.run("file", work);
    const second = runs.run("file", work);
    await expect(first).rejects.toThrow("broken");
    isBroken = false;
    expect(await second).toBe("whole");
    expect(await runs.run("file", work)).toBe("whole");
  });
});
