/** Filters find what an oracle finds, as text and as JSON. */
import { describe, expect, it } from "vitest";
import { RandomFilters } from "../../domain/cql2/random-filters.js";
import { isHeld } from "../../support/run/bounds.js";
import { isOnTheCloud } from "../../support/run/left-out.js";
import { attempts, chance, patience, SEED } from "../../support/run/trials.js";
import { useService } from "../../support/service/use-service.js";
import { datasetsWith, filteredDocuments } from "./filtered-files.js";

const FILTERS = isHeld && !isOnTheCloud ? attempts(1000, 10_000) : 60;

const random = chance(SEED);
const files = filteredDocuments(random, 60);
const service = useService({ documents: files.map(({ document }) => document) });

describe("a filter", () => {
  it(
    `finds the datasets of the files for which it is true (${FILTERS} random ones)`,
    compareFilters,
    patience(FILTERS * 200),
  );

  it.each([
    ["eo:cloud_cover < 10", 0],
    ["not (eo:cloud_cover < 10)", 0],
    ["eo:cloud_cover is null", 60],
    ["latest = true", 60],
    ["latest = false", 0],
    ["not latest = true", 0],
    ["project = 'CMIP6'", 60],
    ["project = 'cmip6'", 0],
    ["casei(project) = casei('cMIP6')", 60],
    ["collection = 'CMIP6' and true", 60],
    ["collection = 'CMIP6' and false", 0],
    ["user is not null", 0],
  ])("%s finds %d", async (filter, expected) => {
    expect(await count(filter)).toBe(expected);
  });
});

const BODY = { method: "POST", headers: { "Content-Type": "application/json" } };

/** The number of datasets that a filter finds, as text by GET and as JSON by POST. */
async function count(filter: unknown): Promise<number> {
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
async function compareFilters(): Promise<void> {
  const made = new RandomFilters(random);
  const all = new Set(files.map(({ name }) => name)).size;
  let telling = 0;
  for (let begun = 0; begun < FILTERS; begun += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, FILTERS - begun) }, () => made.next());
    const compared = some.map(async ({ text, json, truth }, index) => {
      const expected = datasetsWith(files, truth);
      expect(await count(json), `${text} as JSON`).toBe(expected);
      if ((begun + index) % 4 === 0) {
        expect(await count(text), `${text} as text`).toBe(expected);
      }
      if (expected > 0 && expected < all) telling += 1;
    });
    await Promise.all(compared);
  }
  expect(telling).toBeGreaterThan(FILTERS / 4);
}
