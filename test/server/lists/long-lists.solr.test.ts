/** Lists of a large collection, which are read in key ranges: the same documents in the same order as by one export. */

import { describe, expect, it } from "vitest";
import { inOrder } from "../../../src/index/export/utf8-order.js";
import { USUAL_LOAD } from "../../../src/index/solr.js";
import { ODD_TEXTS } from "../../support/data/odd-texts.js";
import { expectBelow } from "../../support/run/bounds.js";
import { chance } from "../../support/run/trials.js";
import { startService, type TestService } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const COUNT = 4000;

const whole = useService();
const random = chance(20261122);
const documents = Array.from({ length: COUNT }, (_, i) => {
  const odd = Array.from(
    { length: 3 },
    () => ODD_TEXTS[Math.floor(random() * ODD_TEXTS.length)],
  ).join("");
  // Many begin alike, and some are the beginning of another.
  const file = `/pool/${"deep/".repeat(i % 3)}${odd}${i % 7 === 0 ? "" : i}`;
  return { file, model: `m${i % 10}`, variable: "tas", version: `v${i}` };
});
const partitions = { minCollection: 1000, range: 100 };
const service = useService({ load: { ...USUAL_LOAD, partitions }, documents });

const list = async (of: TestService, query: string): Promise<string[]> => {
  const response = await of.get(`/databrowser/data-search/native/file?multi-version=true&${query}`);
  expect(response.status).toBe(200);
  return (await response.text()).split("\n").filter(Boolean);
};
const paths = (models: (index: number) => boolean): string[] =>
  [...new Set(documents.filter((_, i) => models(i % 10)).map(({ file }) => file))].sort((a, b) =>
    inOrder(b, a),
  );

describe("a list in key ranges", () => {
  it("has every document once, in the order of results", async () => {
    // Loaded twice, a file has what was said last.
    const files = paths(() => true);
    expect(await list(service, "")).toEqual(files);
    expect(await list(whole, "")).toEqual(files);
  });

  it("has the same documents as a broad and as a narrow search", async () => {
    for (const query of ["model_not_=m3", "model=m1&model=m2&model=m5&model=m7", "model=m4"]) {
      expect(await list(service, query)).toEqual(await list(whole, query));
    }
  });

  it("begins at any start", async () => {
    const files = paths(() => true);
    const starts = [1, 99, 100, 101, 1500, files.length - 1, files.length, files.length + 1, 1e9];
    for (const start of starts) {
      expect(await list(service, `start=${start}`)).toEqual(files.slice(start));
      const others = await list(whole, `model_not_=m3&start=${start}`);
      expect(await list(service, `model_not_=m3&start=${start}`)).toEqual(others);
    }
  });

  it("waits for a few seconds at most for readers that pause", async () => {
    const search = { filters: [] };
    const open = (clientKey: string) =>
      service.solr.export(search, { fields: ["file"], start: 0, clientKey });
    // Three times as many as there are permits.
    const slow = Array.from({ length: 3 * USUAL_LOAD.exports }, (_, at) => open(`slow ${at}`));
    const begin = performance.now();
    let read = 0;
    for await (const batch of await open("fast")) read += batch.length;
    expect(read).toBe(paths(() => true).length);
    expectBelow(performance.now() - begin, 8000);
    for (const list of await Promise.all(slow))
      await list[Symbol.asyncIterator]().return?.(undefined);
  });

  it("is read in several exports, and lends its permit between them", async () => {
    const files = paths(() => true);
    const pace = { pause: 20, slice: 10 };
    const partitions = { minCollection: 1000, range: 100 };
    const slow = await startService({ load: { ...USUAL_LOAD, exports: 1, pace, partitions } });
    const asked: string[] = [];
    const stream = slow.solr.http.stream.bind(slow.solr.http);
    slow.solr.http.stream = (request) => {
      asked.push(request.path);
      return stream(request);
    };
    const both = await Promise.all([list(slow, ""), list(slow, "start=7"), list(slow, "")]);
    expect(both).toEqual([files, files.slice(7), files]);
    expect(asked.length).toBeGreaterThan(3 * 5);
    await slow.close();
  });
});
