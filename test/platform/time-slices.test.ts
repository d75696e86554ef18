import { setImmediate as iteration } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { mapInSlices, nextTurn, textsInOrder } from "../../src/platform/concurrency/time-slices.js";

describe("long work", () => {
  it("continues one slice per iteration of the event loop, in turn", async () => {
    const order: string[] = [];
    let isDone = false;
    const work = Promise.all(
      ["a", "b", "c"].map(async (name) => {
        for (let part = 0; part < 4; part += 1) {
          await nextTurn();
          order.push(name);
        }
      }),
    ).then(() => {
      isDone = true;
    });
    const steps: number[] = [];
    while (!isDone) {
      const before = order.length;
      await iteration();
      steps.push(order.length - before);
    }
    await work;
    expect(order.join("")).toBe("abcabcabcabc");
    expect(Math.max(...steps)).toBe(1);
  });

  it("maps lists in their order, through functions and promises", async () => {
    const items = Array.from({ length: 2000 }, (_, index) => index);
    expect(await mapInSlices(items, (item, index) => item + index)).toEqual(
      items.map((item) => 2 * item),
    );
    expect(await mapInSlices(items, async (item) => -item)).toEqual(items.map((item) => -item));
  });

  it("sorts by code unit, whatever the length", async () => {
    for (const length of [0, 1, 4999, 5000, 5001, 17_003]) {
      const texts = Array.from({ length }, (_, index) => `${(index * 7919) % 10_007}é${index % 3}`);
      expect(await textsInOrder(texts)).toEqual([...texts].sort());
    }
  });
});
