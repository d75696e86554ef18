/** `crawl --checksum` of what is in the index already. */
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { closeSync, constants, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { BytePace, checksumOf } from "../../../src/catalogue/crawl/describe/checksum.js";
import { FileSystem } from "../../../src/catalogue/crawl/tree/file-system.js";
import { freshFolder } from "../../support/run/folders.js";
import { emptyIndex, testClient } from "../../support/service/service.js";
import { contents, counted, crawl, put, putCmip6 } from "./tree.js";

const solr = testClient();
const fs = new FileSystem();
afterAll(() => fs.close());
let root: string;

beforeEach(async () => {
  root = freshFolder();
  await emptyIndex(solr);
});

const sums = async () =>
  (await contents(solr, "files")).map(({ file, checksum }) => [file, checksum]);
const sumOf = async (path: string): Promise<string> =>
  `sha256:${createHash("sha256")
    .update(await readFile(path))
    .digest("hex")}`;

describe("crawl --checksum", () => {
  it("reads each file without a checksum in the index once, and nothing else", async () => {
    const paths = [await putCmip6(root), await putCmip6(root, { variable: "pr" })].sort();
    await crawl([root]);
    expect(await sums()).toEqual(paths.map((path) => [path, undefined]));
    const before = (await contents(solr, "latest")).map(({ checksum, ...rest }) => rest);
    const filling = await crawl([root, "--checksum"]);
    expect(filling.status, filling.stderr).toBe(0);
    expect(counted(filling.stderr, "read for their checksum")).toBe(2);
    const wanted = await Promise.all(paths.map(async (path) => [path, await sumOf(path)]));
    expect(await sums()).toEqual(wanted);
    expect((await contents(solr, "latest")).map(({ checksum, ...rest }) => rest)).toEqual(before);
    expect(counted((await crawl([root, "--checksum"])).stderr, "opened")).toBe(0);
  });

  it("refuses a rate that is not a number", async () => {
    const { status, stderr } = await crawl([root, "--checksum", "--checksum-rate", "fast"]);
    expect(status).toBe(1);
    expect(stderr).toContain("--checksum-rate fast: write a size such as 500m.");
  });
});

describe("a file whose reading gets no answer", () => {
  it("has no checksum, and the ninth ends the crawl", async () => {
    // Opening a pipe waits for a writer.
    const path = join(root, "pipe.nc");
    execFileSync("mkfifo", [path]);
    const silent = new FileSystem({ timeout: 50 });
    const sum = () => checksumOf({ path, kind: "file", size: 10 }, silent);
    const release = () =>
      // Fails until the reader waits.
      vi.waitFor(() => {
        closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
      }, 60_000);
    for (let at = 0; at < 8; at += 1) {
      expect(await sum()).toEqual({
        reason: "checksum: the file gets no answer from the file system",
      });
      await release();
    }
    await expect(sum()).rejects.toThrow(/does not answer in 8 places/);
    await release();
    await silent.close();
  });
});

describe("a rate of reading", () => {
  it("bounds the bytes a second of all readings together", async () => {
    const size = 300_000;
    const path = await put(join(root, "x.nc"), randomBytes(size));
    const pace = new BytePace(2_000_000);
    const begin = performance.now();
    await Promise.all([1, 2, 3].map(() => checksumOf({ path, kind: "file", size }, fs, pace)));
    // 900,000 bytes; a timer may be a millisecond early.
    expect(performance.now() - begin).toBeGreaterThan(440);
  });
});
