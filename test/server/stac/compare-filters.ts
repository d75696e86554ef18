/** Compares filters by chance with the oracle. */
import { afterAll, beforeAll, expect } from "vitest";
import { RandomFilters } from "../../domain/cql2/random-filters.js";
import { chance, SEED } from "../../support/run/trials.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";
import { datasetsWith, type FilteredDocument, filteredDocuments } from "./filtered-files.js";

/** A service with the files of 60 datasets by chance; to be called at the top of a test file. */
export function filteredService() {
  const random = chance(SEED);
  const files = filteredDocuments(random, 60);
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await emptyIndex(service.solr);
    const documents = files.map(({ document }) => document);
    const { refused } = await load(service.solr, documents);
    expect(refused).toBe(0);
  });
  afterAll(() => service.close());
  return { random, files, service: () => service };
}

const BODY = { method: "POST", headers: { "Content-Type": "application/json" } };

/** The number of datasets that a filter finds, as text by GET and as JSON by POST. */
export async function count(service: TestService, filter: unknown): Promise<number> {
  const response =
    typeof filter === "string"
      ? await service.get(`/stac/aggregate?${new URLSearchParams({ filter })}`)
      : await service.get("/stac/aggregate", { ...BODY, body: JSON.stringify({ filter }) });
  const answer = (await response.json()) as {
    detail?: string;
    aggregations: { value: number }[];
  };
  expect(response.status, answer.detail).toBe(200);
  return answer.aggregations[0]?.value ?? -1;
}

/** Filters that are asked at the same time. */
const AT_ONCE = 6;

/** Filters by chance, each as JSON, every fourth as text, too; many of them find some datasets, but not all. */
export async function compareFilters(
  service: TestService,
  files: readonly FilteredDocument[],
  random: () => number,
  filters: number,
): Promise<void> {
  const made = new RandomFilters(random);
  const all = new Set(files.map(({ name }) => name)).size;
  let telling = 0;
  for (let begun = 0; begun < filters; begun += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, filters - begun) }, () => made.next());
    const compared = some.map(async ({ text, json, truth }, index) => {
      const expected = datasetsWith(files, truth);
      expect(await count(service, json), `${text} as JSON`).toBe(expected);
      if ((begun + index) % 4 === 0) {
        expect(await count(service, text), `${text} as text`).toBe(expected);
      }
      if (expected > 0 && expected < all) telling += 1;
    });
    await Promise.all(compared);
  }
  expect(telling).toBeGreaterThan(filters / 4);
}
