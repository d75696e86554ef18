/** Open data sets: kept, bounded, and dropped when their files change; one odd file harms no other. */

import { randomBytes } from "node:crypto";
import { appendFile, copyFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import {
  BufferPool,
  LARGE_BUFFER,
  SMALL_BUFFER,
} from "../../../src/files/zarr/body/buffer-pool.js";
import { MemoryBudget } from "../../../src/files/zarr/body/memory-budget.js";
import { RangeBody } from "../../../src/files/zarr/body/range-body.js";
import { Datasets } from "../../../src/files/zarr/dataset/datasets.js";
import { DescriptorCache } from "../../../src/files/zarr/open/descriptor-cache.js";
import { ReadingPool } from "../../../src/files/zarr/worker/pool.js";
import { freshFolder } from "../../support/run/folders.js";
import { use } from "../../support/run/use.js";
import { makeFiles } from "./files.js";

const files = use(() => makeFiles("netcdf3", "types", "fills", "small", "stores", "others"));
const folder = freshFolder();
const datasets = new Datasets({ metadataBytes: 200_000, descriptors: 2 });

afterAll(() => datasets.close());

const failure = (kind: string) => expect.objectContaining({ kind });

describe("a path that cannot be read", () => {
  it.each([
    ["a.grb", "GRIB"],
    ["a.tar", "tar archive"],
    ["empty.nc", "empty"],
  ])("is reported with the reason: %s: not a readable format, %s", async (name, word) => {
    const opening = datasets.open(files.path(name));
    await expect(opening).rejects.toThrow(word);
    await expect(opening).rejects.toEqual(failure("not-readable-format"));
  });

  it("is a missing file, a folder that is no store, or a path through a file", async () => {
    await expect(datasets.open(join(folder, "none.nc"))).rejects.toEqual(failure("file-gone"));
    await expect(datasets.open(folder)).rejects.toEqual(failure("not-readable-format"));
    const through = join(files.path("types.nc"), "x");
    await expect(datasets.open(through)).rejects.toEqual(failure("file-gone"));
  });
});

describe("an open data set", () => {
  it("stays the same while its file does, and is another one after a change", async () => {
    const path = join(folder, "changing.nc");
    await copyFile(files.path("netcdf3_classic.nc"), path);
    const first = await datasets.open(path);
    expect(await datasets.open(path)).toBe(first);
    await appendFile(path, "more");
    const second = await datasets.open(path);
    expect(second).not.toBe(first);
    expect(second.tag?.("a/0.0")).not.toBe(first.tag?.("a/0.0"));
    const content = await first.content("scalar/0");
    if (content.kind !== "range") throw new Error(content.kind);
    await expect(datasets.read(content.range)).rejects.toEqual(failure("file-changed"));
    await rm(path);
    await expect(datasets.open(path)).rejects.toEqual(failure("file-gone"));
    await expect(first.content("a/0.0")).rejects.toEqual(failure("file-gone"));
  });

  it("is cached within a bound of bytes and of descriptors", async () => {
    for (let i = 0; i < 30; i++) {
      const path = join(folder, `copy-${i}.nc`);
      await copyFile(files.path("types.nc"), path);
      const content = await (await datasets.open(path)).content("f8/0");
      if (content.kind === "range") await datasets.read(content.range);
      expect(datasets.usage.bytes).toBeLessThan(200_000);
      expect(datasets.usage.descriptors).toBeLessThanOrEqual(2);
    }
  });

  it("streams a range in parts, and a part of it", async () => {
    const content = await (await datasets.open(files.path("large_records.nc"))).content("a/1.0.0");
    if (content.kind !== "range") throw new Error(content.kind);
    const whole = await datasets.read(content.range);
    const pieces: Uint8Array[] = [];
    const out = new Writable({
      write: (piece, _, done) => {
        // The body reuses its buffer.
        pieces.push(Buffer.from(piece));
        done();
      },
    });
    await (await datasets.body(content.range, 10)).writeTo(out);
    expect(pieces.length).toBeGreaterThan(1);
    expect(Buffer.compare(Buffer.concat(pieces), whole.subarray(10))).toBe(0);
    expect(await datasets.read(content.range, 5, 3)).toEqual(whole.subarray(5, 8));
  });

  it("is sent to the end to a slow client, although no other buffer is free", async () => {
    const path = join(folder, "slow.bin");
    const bytes = randomBytes(2 * LARGE_BUFFER);
    await writeFile(path, bytes);
    const buffers = new BufferPool(new MemoryBudget(8 * LARGE_BUFFER));
    const { identity } = await datasets.inspect(path);
    const range = { path, identity, offset: 0, length: bytes.length };
    const body = await RangeBody.open(new DescriptorCache(), buffers, range, false);
    const others = Array.from({ length: 16 }, () => buffers.take(SMALL_BUFFER));
    expect(await Promise.all(others)).toHaveLength(16);
    const pieces: Buffer[] = [];
    const out = new Writable({
      highWaterMark: 1,
      write: (piece: Buffer, _, done) => {
        // The body reuses its buffer.
        pieces.push(Buffer.from(piece));
        setTimeout(done, pieces.length === 1 ? 700 : 0);
      },
    });
    await body.writeTo(out);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    expect(buffers.share.used).toBe(16 * SMALL_BUFFER);
  });

  it("is charged while it is made and until it is sent, and leaves the most to readers", async () => {
    const budget = new MemoryBudget(1 << 30);
    const each = 100 << 20;
    const ends: (() => void)[] = [];
    const make = () =>
      new Promise<Uint8Array>((resolve) => ends.push(() => resolve(new Uint8Array(5))));
    const first = budget.making(each, "one", make);
    const second = budget.making(each, "one", make);
    await expect.poll(() => ends.length).toBe(1);
    expect(budget.used).toBe(each);
    ends[0]?.();
    const sent = budget.hold(await first);
    await expect.poll(() => ends.length).toBe(2);
    // A made chunk takes what it has, compressed.
    expect(budget.used).toBe(each + 5);
    ends[1]?.();
    await second;
    await expect.poll(() => budget.used).toBe(5);
    sent();
    expect(budget.used).toBe(0);
    const whole = budget.making(600 << 20, "one", make);
    await expect(whole).rejects.toThrow("more memory than reading may have");
    const failing = budget.making(each, "one", () => Promise.reject(new Error("damaged")));
    await expect(failing).rejects.toThrow("damaged");
    expect(budget.used).toBe(0);
  });

  it.each([100 << 20, 1 << 20])(
    "does not wait for all chunks of another client, if all have %d bytes",
    async (bytes) => {
      const budget = new MemoryBudget(1 << 30);
      const made: string[] = [];
      const make = (client: string) =>
        budget.making(bytes, client, async () => {
          await new Promise((resolve) => setTimeout(resolve, 1));
          made.push(client);
          return new Uint8Array(1);
        });
      const others = Array.from({ length: 40 }, () => make("one"));
      await Promise.all([...others, make("other")]);
      expect(made).toHaveLength(41);
      expect(made.indexOf("other")).toBeLessThan(20);
    },
  );

  it("has a summary for a person", async () => {
    const summary = await (await datasets.open(files.path("fills.nc"))).summary();
    expect(summary).toMatchObject({ format: "NetCDF-4/HDF5" });
    const variables = summary.groups[0]?.variables ?? [];
    expect(variables.find(({ name }) => name === "with_fill")).toMatchObject({
      dimensions: ["t", "y", "x"],
      shape: [6, 500, 600],
      chunks: [1, 500, 600],
      type: "<f4",
      codecs: ["shuffle", "zlib"],
      bytes: 7_200_000,
      chunkBytes: 1_200_000,
    });
  });
});

describe("a zarr store", () => {
  it.each([
    ["v2.zarr", ".zmetadata"],
    ["v3.zarr", "zarr.json"],
  ])("passes %s through, and nothing outside of it", async (name, key) => {
    const store = await datasets.open(files.path(name));
    expect((await store.content(key)).kind).toBe("range");
    expect((await store.summary()).groups[0]?.variables.map((v) => v.name).sort()).toEqual([
      "v",
      "x",
    ]);
    for (const bad of [
      "../types.nc",
      "v/../../types.nc",
      "/etc/passwd",
      "..",
      "v",
      "v//0",
      "v\0",
    ]) {
      expect((await store.content(bad)).kind, bad).toBe("unknown-key");
    }
  });

  it("refuses a link that leads out of it, which must not look like a missing chunk", async () => {
    const store = join(folder, "linked.zarr");
    await mkdir(store);
    await writeFile(join(store, ".zarray"), '{"zarr_format":2,"shape":[3],"chunks":[1]}');
    await symlink(files.path("types.nc"), join(store, "0"));
    await symlink("nowhere", join(store, "1"));
    const linked = await datasets.open(store);
    await expect(linked.content("0")).rejects.toEqual(failure("file-unreachable"));
    await expect(linked.content("1")).rejects.toEqual(failure("file-unreachable"));
    expect(await linked.content("2")).toEqual({ kind: "absent", reason: "unwritten-chunk" });
    const opened = await datasets.open(store);
    await rm(store, { recursive: true });
    await expect(opened.content("0")).rejects.toEqual(failure("file-gone"));
  });
});

describe("reading processes", () => {
  it("end an order that takes too long, and go on", async () => {
    const pool = new ReadingPool({ readers: 2, time: 1 });
    const busy = Array.from({ length: 6 }, () =>
      pool.run({ kind: "index", path: files.path("small_new.nc") }),
    );
    const outcomes = await Promise.allSettled(busy);
    expect(outcomes).toHaveLength(6);
    await pool.close();
    await expect(pool.run({ kind: "index", path: "x" })).rejects.toEqual(failure("reading-busy"));
  });

  it("keep one of them free of a file that many read", async () => {
    const pool = new ReadingPool({ readers: 2 });
    // Starting one takes longer than what it is to do.
    const both = ["small_3.nc", "small_5.nc"].map((name) => files.path(name));
    await Promise.all(both.map((path) => pool.run({ kind: "index", path })));
    let done = 0;
    const slow = Array.from({ length: 30 }, async () => {
      await pool.run({ kind: "index", path: files.path("small_new.nc") });
      done += 1;
    });
    await pool.run({ kind: "index", path: files.path("small_3.nc") });
    expect(done).toBeLessThan(30);
    await Promise.all(slow);
    await pool.close();
  });

  it("refuse more than the queue holds", async () => {
    const pool = new ReadingPool({ readers: 2, waiting: 1 });
    const path = files.path("small_new.nc");
    const orders = Array.from({ length: 8 }, () => pool.run({ kind: "index", path }));
    const outcomes = await Promise.allSettled(orders);
    const refused = outcomes.filter((o) => o.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    for (const o of refused) expect(o.reason).toEqual(failure("reading-busy"));
    await pool.close();
  });
});
