/** Filters find what an oracle finds, as text and as JSON. */
import { describe, expect, it } from "vitest";
import { compareFilters, count, filteredService } from "./compare-filters.js";

const { random, files, service } = filteredService();

describe("a filter", () => {
  it("finds the datasets of the files for which it is true (60 random ones)", async () => {
    await compareFilters(service(), files, random, 60);
  });

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
    expect(await count(service(), filter)).toBe(expected);
  });
});
