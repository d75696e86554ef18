/** Work on many items, some at once. */
import { describe, expect, it } from "vitest";
import { eachOf } from "../../src/platform/concurrency/each-of.js";

describe("work on each of many items", () => {
  it("is done for all of them, with at most the given number at once", async () => {
    const done: string[] = [];
    let running = 0;
    let most = 0;
    await eachOf(["a", "b", "c", "d", "e"], 2, async (item, index) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      done[index] = item;
      running -= 1;
    });
    expect(done).toEqual(["a", "b", "c", "d", "e"]);
    expect(most).toBe(2);
  });

  it("ends at the first error, and begins no further item", async () => {
    const begun: number[] = [];
    const work = eachOf([1, 2, 3, 4, 5, 6], 2, async (item) => {
      begun.push(item);
      await Promise.resolve();
      if (item === 2) throw new Error("the second");
    });
    await expect(work).rejects.toThrow("the second");
    expect(begun).not.toContain(5);
  });
});
