/** Searches that Solr will not work out, and offsets as far as the contract goes: an answer or 422, and soon. */
import { beforeAll, describe, expect, it } from "vitest";
import { expectBelow } from "../../support/run/bounds.js";
import { emptyIndex, load } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const LIST = "data-search/native/file";
const COUNTS = "metadata-search/native/file";
/** The most that the contract allows. */
const LAST = 2_147_483_647;

const service = useService({ timeoutMs: 10_000 });
beforeAll(async () => {
  await emptyIndex(service.solr);
  const documents = Array.from({ length: 3000 }, (_, i) => ({
    file: `/complex/${"ab".repeat(i % 20)}/${i}.nc`,
    variable: [`v${i % 200}`],
    bbox: `ENVELOPE(${i % 90},${(i % 90) + 30},${i % 60},0)`,
  }));
  await load(service.solr, documents);
});

const times = (count: number, parameter: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => parameter(index)).join("&");
const wildcard = encodeURIComponent("?");

/** Each search, and what comes of it. */
const SEARCHES: [string, string, number][] = [
  ["1,000 wildcards in files", times(1000, (i) => `file=*a*${i}`), 422],
  ["1,000 wildcards in facets", times(1000, (i) => `variable=v*${i}`), 422],
  ["1,000 wildcards in one value", `file=${"*a".repeat(1000)}`, 422],
  ["200 wildcards", times(200, (i) => `variable=v${i}*`), 200],
  ["1,000 values", times(1000, (i) => `variable=v${i}`), 200],
  ["140 boxes", times(140, (i) => `bbox=${i - 170},${i - 160},0,${i / 2}`), 422],
  ["50 boxes", times(50, (i) => `bbox=${i - 170},${i - 160},0,${i / 2}`), 200],
  ["500 periods", times(500, (i) => `time=${1000 + i}`), 200],
  ["an automaton that grows with each place", `file=*a${wildcard.repeat(60)}b`, 422],
  ["an automaton with many loops", `file=*${"ab*".repeat(190)}`, 200],
  ["an automaton of a long text", `file=*${"a".repeat(12_000)}`, 422],
  ["a long text", `file=${"a".repeat(12_000)}`, 200],
  ["brackets in brackets", `file=${"(".repeat(4000)}`, 200],
];

describe("a complex search", () => {
  it.each(SEARCHES)("is answered or refused in bounded time: %s", async (_, search, status) => {
    for (const operation of [LIST, COUNTS, "intake-catalogue/native/file"]) {
      const begun = Date.now();
      const response = await service.get(`/databrowser/${operation}?${search}`);
      const text = await response.text();
      // A catalogue of nothing is refused.
      const found = status === 200 && operation.startsWith("intake") ? [200, 400] : [status];
      expect(found, `${operation}: ${text.slice(0, 300)}`).toContain(response.status);
      expectBelow(Date.now() - begun, 8000);
    }
  });
});

describe("an offset", () => {
  it.each([2999, 3000, 199_999, 200_001, 1_000_000, LAST - 1, LAST])(
    "is answered in bounded time: %i",
    async (start) => {
      for (const key of ["file", "uri"]) {
        const response = await service.get(`/databrowser/data-search/native/${key}?start=${start}`);
        const text = await response.text();
        expect(response.status, text).toBe(200);
        expect(text).toBe(start === 2999 && key === "file" ? "/complex//0.nc\n" : "");
      }
      const response = await service.get(
        `/databrowser/intake-catalogue/native/file?start=${start}`,
      );
      expect(response.status, await response.text()).toBe(start === 2999 ? 200 : 400);
    },
  );
});
