/** Bounds of a list of 100,000 files: the time of its first byte, and memory. */
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeAll, expect, it } from "vitest";
import { byBusyness, expectBelow } from "../../support/run/bounds.js";
import { emptyIndex, load } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const FILES = 100_000;
const TOGETHER = 10_000;

const document = (at: number) => ({
  file: join("/data", `member-${at}`, `tas_Amon_MODEL_historical_r${at}i1p1f1_gn_185001-201412.nc`),
  project: ["many"],
  size: 1000,
  checksum: `sha256:${"0".repeat(64)}`,
});

const service = useService();
beforeAll(async () => {
  await emptyIndex(service.solr);
  for (let from = 0; from < FILES; from += TOGETHER) {
    const documents = Array.from({ length: TOGETHER }, (_, index) => document(from + index));
    await load(service.solr, documents);
  }
}, 300_000);

/** Milliseconds of an answer without work. */
async function ping(): Promise<number> {
  const begin = performance.now();
  await (await service.get("/databrowser/data-search/native/file?project=none")).text();
  return performance.now() - begin;
}

it.each(["sh", "metalink", "aria2"])(
  "a long list begins at once, and takes little memory: %s",
  async (as) => {
    const address = `/databrowser/download/native/file?project=many&as=${as}`;
    // The first list of a kind compiles its code, and Solr reads the columns.
    await (await service.get(address)).text();
    const pings = [await ping(), await ping(), await ping()];
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let [first, lines, most] = [0, 0, 0];
    const begin = performance.now();
    const { body } = await service.get(address);
    for await (const piece of Readable.fromWeb(body as never)) {
      first ||= performance.now() - begin;
      for (const byte of piece) if (byte === 10) lines += 1;
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(lines).toBeGreaterThan(FILES);
    expectBelow(first, 300 + byBusyness(pings));
    expectBelow(most, 50_000_000);
  },
);
