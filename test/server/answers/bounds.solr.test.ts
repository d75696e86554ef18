import { describe, expect, it } from "vitest";
import { eachValue } from "../../../src/domain/aggregation/facet-request.js";
import { AnswerTooLong } from "../../../src/index/errors.js";
import { memoryOf } from "../../../src/index/query/query-cache.js";
import type { Solr } from "../../../src/index/solr.js";
import { testClient } from "../../support/service/service.js";

const ask = (solr: Solr, client: string, isHeavy: boolean) =>
  solr.aggregateFacets(
    { filters: [], facets: { of: eachValue("variable") }, isHeavy },
    { clientKey: client },
  );

describe("answers about a search", () => {
  it("are refused if Solr's answer exceeds its limit, which is then broken off", async () => {
    const { http } = testClient();
    const path = "files/select?q=*:*&rows=0&wt=json";
    const { text } = await http.send({ path });
    await expect(http.send({ path, maxBytes: text.length - 8 })).rejects.toThrow(AnswerTooLong);
    await expect(http.send({ path, maxBytes: text.length + 8 })).resolves.toMatchObject({
      status: 200,
    });
  });

  it("have permits of their own if they are heavy, two at a time, one for each caller", async () => {
    const solr = testClient();
    const all = ["a", "a", "b", "c", "d"].map((client) => ask(solr, client, true));
    const light = ["a", "b"].map((client) => ask(solr, client, false));
    const { heavy, searches } = solr.usage.admission;
    expect(heavy).toMatchObject({ taken: 2, waiting: 3 });
    expect(searches).toMatchObject({ taken: 2, waiting: 0 });
    await Promise.all([...all, ...light]);
    expect(solr.usage.admission.heavy).toEqual({ taken: 0, waiting: 0, refused: 0 });
  });
});

describe("the memory of an answer", () => {
  it("grows with its content, and is not less than its text", () => {
    const bucket = (index: number) => ({
      val: `value ${index}`,
      count: index,
      bytes: index * 1e10,
    });
    const buckets = (count: number) => Array.from({ length: count }, (_, index) => bucket(index));
    const [some, many] = [memoryOf(buckets(1000)), memoryOf(buckets(2000))];
    expect(many / some).toBeCloseTo(2, 1);
    expect(some).toBeGreaterThan(JSON.stringify(buckets(1000)).length);
    expect(memoryOf(new Map(buckets(1000).map((one) => [one.val, one.count])))).toBeGreaterThan(
      60_000,
    );
    expect(memoryOf([null, true, undefined])).toBeLessThan(100);
  });
});
