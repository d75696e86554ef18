/** The work of a filter, which other requests wait for: it is bounded, whatever values the index has. */
import { describe, expect, it } from "vitest";
import { filterClause } from "../../../src/domain/cql2/compile.js";
import type { FilterContext } from "../../../src/domain/cql2/property.js";
import { readJsonFilter } from "../../../src/domain/cql2/read-json.js";
import { readTextFilter } from "../../../src/domain/cql2/read-text.js";
import { Unreadable } from "../../../src/domain/extent/period.js";
import { propertyOf } from "../../../src/domain/stac/properties.js";
import { expectBelow } from "../../support/run/bounds.js";

/** As many values, and as many boxes, as are compared at all. */
const VALUES = Array.from({ length: 20_000 }, (_, i) => `${"a".repeat(40)}.model ${i}`);
const BOXES = Array.from({ length: 10_000 }, (_, i) => `ENVELOPE(${i / 1e5},0.2,80.1,80)`);
const context: FilterContext = {
  property: (name) => propertyOf(name),
  values: () => VALUES,
  boxes: BOXES,
  ofDataset: (clause) => clause,
  identified: () => "",
};

const repeated = (condition: string, times: number) =>
  readTextFilter(Array.from({ length: times }, () => condition).join(" or "));

const zigzag = (positions: number) =>
  readJsonFilter({
    op: "s_intersects",
    args: [
      { property: "geometry" },
      {
        type: "LineString",
        coordinates: Array.from({ length: positions }, (_, i) => [i % 2 ? 360 : -360, -89]),
      },
    ],
  });

describe("a filter that compares very many values", () => {
  it.each([
    ["patterns", repeated("cmip6:source_id like 'zzz%'", 300)],
    [
      "a pattern that begins anew everywhere",
      repeated(`cmip6:source_id like '%${"a".repeat(30)}z%'`, 3),
    ],
    ["a pattern of many parts", repeated(`cmip6:source_id like '%${"_".repeat(30)}z%'`, 3)],
    ["orders in one case", repeated("casei(cmip6:source_id) < casei('A')", 300)],
    ["ranges", repeated("cmip6:source_id between 'A' and 'B'", 300)],
    ["positions", zigzag(2000)],
  ])("is refused soon because of its %s", (_, filter) => {
    const begin = performance.now();
    expect(() => filterClause(filter, context)).toThrow(Unreadable);
    expectBelow(performance.now() - begin, 5000);
  });

  it.each([
    ["a pattern", repeated("cmip6:source_id like '%model 1%9'", 1)],
    ["several ranges", repeated("cmip6:source_id between 'A' and 'B'", 5)],
    ["the outline of a country", zigzag(400)],
  ])("is answered with %s", (_, filter) => {
    expect(filterClause(filter, context)).not.toBe("");
  });
});
