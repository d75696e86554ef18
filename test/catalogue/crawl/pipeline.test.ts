/** Streams of work, without files or Solr; and what is said of how far they are. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Counts } from "../../../src/catalogue/crawl/crawl.js";
import { batches, mapConcurrently, readAhead } from "../../../src/catalogue/crawl/pipeline.js";
import { progressText } from "../../../src/cli/crawl/crawl-report.js";
import { HashedTexts } from "../../../src/platform/hashed-texts.js";
import { expectBelow } from "../../support/run/bounds.js";

async function* numbers(count: number, taken: number[] = [], pause = 0) {
  for (let at = 0; at < count; at += 1) {
    if (pause > 0) await sleep(pause);
    taken.push(at);
    yield at;
  }
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

const ordered = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describe("items that run ahead", () => {
  it("arrive complete and in order, with a bounded number waiting", async () => {
    const taken: number[] = [];
    const found: number[] = [];
    for await (const item of readAhead(numbers(5000, taken), 10)) {
      found.push(item);
      await null;
      expect(taken.length - found.length).toBeLessThan(1020);
    }
    expect(found).toEqual(ordered(5000));
  });

  it("end with the failure of their source, after all items before it", async () => {
    const found: number[] = [];
    const failing = async function* () {
      yield* numbers(3);
      throw new Error("broken");
    };
    const run = async () => {
      for await (const item of readAhead(failing(), 10)) found.push(item);
    };
    await expect(run()).rejects.toThrow("broken");
    expect(found).toEqual([0, 1, 2]);
  });

  it("end their source when nobody reads them any more", async () => {
    const taken: number[] = [];
    for await (const item of readAhead(numbers(1e9, taken), 5)) if (item === 3) break;
    const { length } = taken;
    await sleep(20);
    expect(taken).toHaveLength(length);
  });
});

describe("parallel work", () => {
  it("is bounded in number, and each result is given as soon as it is there", async () => {
    let running = 0;
    let most = 0;
    const made = mapConcurrently(numbers(40), 4, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await sleep(item === 0 ? 50 : 1);
      running -= 1;
      return item;
    });
    const found = await all(made);
    expect(most).toBe(4);
    expect(found).not.toEqual(ordered(40));
    expect(found.sort((a, b) => a - b)).toEqual(ordered(40));
    const begin = performance.now();
    for await (const item of mapConcurrently(numbers(2, [], 1000), 4, async (one) => one)) {
      if (item === 0) expectBelow(performance.now() - begin, 1900);
    }
  });

  it("ends with the first failure", async () => {
    const made = mapConcurrently(numbers(1e9), 3, async (item) => {
      if (item === 7) throw new Error("broken");
      return item;
    });
    await expect(all(made)).rejects.toThrow("broken");
  });
});

describe("portions", () => {
  it("are full, or as old as they may be", async () => {
    expect(await all(batches(numbers(7), 3, 10_000))).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
    const slow = await all(batches(numbers(6, [], 60), 100, 100));
    expect(slow.flat()).toEqual(ordered(6));
    expect(slow.length).toBeGreaterThan(1);
  });
});

describe("seen texts", () => {
  it("are recognised among hundreds of thousands, and no others", () => {
    const seen = new HashedTexts();
    const added = (): number =>
      ordered(200_000).filter((at) => seen.add(`/pool/${at}/x.nc`)).length;
    expect(added()).toBe(200_000);
    expect(added()).toBe(0);
    expect(seen.count).toBe(200_000);
    expect(seen.has("/pool/7/x.nc")).toBe(true);
    expect(seen.has("/pool/7/y.nc")).toBe(false);
  });
});

describe("progress", () => {
  const counts: Counts = {
    found: 1000,
    fresh: 600,
    changed: 0,
    unchanged: 400,
    unsummed: 0,
    again: 0,
    young: 0,
    users: 0,
    opened: 300,
    read: 300,
    stored: 0,
    gone: 0,
    isWalked: false,
  };

  it("reports the remaining files once all are found, and the least number before that", () => {
    expect(progressText(counts, 10)).toBe(
      "1,000 files found so far, 300 of at least 600 read, 30/s",
    );
    const walked = { ...counts, isWalked: true };
    expect(progressText(walked, 10)).toBe("1,000 files found, 300 of 600 read, 30/s, 10 s left");
    expect(progressText(walked, 1000)).toBe(
      "1,000 files found, 300 of 600 read, 0.3/s, 17 min left",
    );
    expect(progressText({ ...walked, fresh: 0 }, 1)).toBe("1,000 files found");
  });
});
