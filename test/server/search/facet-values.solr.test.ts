/** A facet with more values than an answer shows. */
import { describe, expect, it } from "vitest";
import type { MetadataSearchResult } from "../../../generated/schemas.js";
import { useService } from "../../support/service/use-service.js";

const COUNT = 10_020;
/** Upper and lower case, so that Solr's order is not that of the answer. */
const member = (index: number): string => `${index % 3 === 0 ? "R" : "r"}${index}i1p1f1`;

const service = useService({
  documents: Array.from({ length: COUNT }, (_, index) => ({
    file: `/data/${index}.nc`,
    model: `m${index % 2}`,
    ensemble: member(index),
  })),
});

async function ask(address: string): Promise<MetadataSearchResult> {
  const response = await (address.startsWith("http") ? fetch(address) : service.get(address));
  const text = await response.text();
  expect(response.status, text.slice(0, 300)).toBe(200);
  return JSON.parse(text) as MetadataSearchResult;
}

const valuesOf = (flat: readonly string[] = []): string[] => flat.filter((_, i) => i % 2 === 0);
const expected = Array.from({ length: COUNT }, (_, index) => member(index).toLowerCase()).sort();

describe("a facet of more than 10,000 values", () => {
  it.each([
    ["metadata-search/cmip6/file?", COUNT],
    ["metadata-search/cmip6/file?choices=true&member_id=r1i1p1f1&", COUNT],
    ["metadata-search/native/file?model=m0&", COUNT / 2],
    ["extended-search/cmip6/file?limit=1&facets=*&", COUNT],
  ])("is shown in parts that link to each other: %s", async (place, count) => {
    let answer = await ask(`/databrowser/${place}`);
    const name = place.includes("native") ? "ensemble" : "member_id";
    const found = valuesOf(answer.facets[name]);
    const more = answer.more_values?.[name];
    expect(more?.count).toBe(count > 10_000 ? count : undefined);
    for (let next = more?.next; next !== undefined; next = answer.more_values?.[name]?.next) {
      expect(found).toHaveLength(10_000);
      answer = await ask(next);
      expect(Object.keys(answer.facets)).toEqual([name]);
      found.push(...valuesOf(answer.facets[name]));
    }
    const model = ({ index }: { index: number }) => count === COUNT || index % 2 === 0;
    const wanted =
      count === COUNT
        ? expected
        : expected.filter((value) => model({ index: Number(/\d+/.exec(value)?.[0]) }));
    expect(found).toEqual(wanted);
  });

  it("is shown from a value on, in lower case", async () => {
    const { facets } = await ask(
      "/databrowser/metadata-search/cmip6/file?facets=member_id&values_after=r9999i1p1f0",
    );
    expect(facets.member_id).toEqual([
      "r9999i1p1f1",
      "1",
      "r999i1p1f1",
      "1",
      "r99i1p1f1",
      "1",
      "r9i1p1f1",
      "1",
    ]);
  });
});
