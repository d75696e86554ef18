/** Filters by chance find what an oracle finds, as text and as JSON. */
import { describe, it } from "vitest";
import { attempts } from "../../support/run/trials.js";
import { compareFilters, filteredService } from "./compare-filters.js";

const { random, files, service } = filteredService();

const FILTERS = attempts(1000, 10_000);

describe("a filter", () => {
  it(
    `finds the datasets of the files for which it is true (${FILTERS} random ones)`,
    async () => {
      await compareFilters(service(), files, random, FILTERS);
    },
    60_000 + FILTERS * 200,
  );
});
