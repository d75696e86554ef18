import { describe, expect, it } from "vitest";
import type { Expression } from "../../../src/domain/cql2/expression.js";
import { matcher } from "../../../src/domain/cql2/like.js";
import { readJsonFilter } from "../../../src/domain/cql2/read-json.js";
import { readTextFilter } from "../../../src/domain/cql2/read-text.js";
import { Unreadable } from "../../../src/domain/extent/period.js";
import { expectBelow } from "../../support/run/bounds.js";
import { chance, SEED } from "../../support/run/trials.js";
import { RandomFilters } from "./random-filters.js";

const unbounded = (): void => {};

/** One conjunction is in the tree of JSON what chains of operators are in that of text. */
const parsed = (json: unknown): Expression => readJsonFilter(json);

describe("a filter of CQL2", () => {
  it("means the same as text and as JSON", () => {
    const filters = new RandomFilters(chance(SEED));
    for (let index = 0; index < 1000; index += 1) {
      const { text, json } = filters.next();
      expect(readTextFilter(text), text).toEqual(parsed(json));
    }
  });

  it.each([
    ["not a = 1 and b = 2", "(not (a = 1)) and b = 2"],
    ["a = 1 or b = 2 and c = 3", "a = 1 or (b = 2 and c = 3)"],
    ["a not in ('x')", "not (a in ('x'))"],
    ["a not like 'x%'", "not (a like 'x%')"],
    ["a not between 1 and 2", "not (a between 1 and 2)"],
    ["a is not null", "not (a is null)"],
    ["5 < a", "a > 5"],
    ["\"a\" = 'x'", "a = 'x'"],
    ["a = 'it''s'", "a = 'it\\'s'"],
    [
      "t_before(TIMESTAMP('2000-01-01T00:00:00Z'), datetime)",
      "t_after(datetime, TIMESTAMP('2000-01-01t00:00:00z'))",
    ],
    [
      't_intersects(datetime, "1850-01-01/2015-01-01")',
      "T_INTERSECTS(datetime, INTERVAL('1850-01-01', '2015-01-01'))",
    ],
    ["s_intersects(BBOX(0,0,1,1), geometry)", "S_Intersects(geometry, bbox(0, 0, 1, 1))"],
    [
      "s_intersects(geometry, MULTIPOINT((1 2), (3 4)))",
      "s_intersects(geometry, MULTIPOINT(1 2, 3 4))",
    ],
  ])("is read as clauses: %s is %s", (one, other) => {
    expect(readTextFilter(one)).toEqual(readTextFilter(other));
  });

  it("has as many conditions in brackets as without", () => {
    const of = (count: number) => Array.from({ length: count }, () => "(a = 1)").join(" or ");
    expect(readTextFilter(of(300))).toMatchObject({ kind: "any" });
    expect(() => readTextFilter(of(301))).toThrow(Unreadable);
  });

  it("means the geometry of an object that has a bbox as well", () => {
    const triangle = {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [10, 0],
          [0, 10],
          [0, 0],
        ],
      ],
    };
    const filter = (geometry: object) =>
      readJsonFilter({ op: "s_intersects", args: [{ property: "geometry" }, geometry] });
    expect(filter({ ...triangle, bbox: [0, 0, 10, 10] })).toEqual(filter(triangle));
    expect(filter({ bbox: [0, 0, 10, 10] })).not.toEqual(filter(triangle));
  });

  it.each([
    "",
    "a",
    "a =",
    "a = b",
    "'x' = 'y'",
    "a = 'x",
    "(a = 1",
    "a = 1)",
    "a in ()",
    "a like 5",
    "a = 1 b = 2",
    "a between 1",
    "a = DATE('2000-02-30')",
    "a = TIMESTAMP('2000-01-01')",
    "s_intersects(geometry, POLYGON((0 0, 1 1, 0 0)))",
    "s_intersects(geometry, POLYGON((0 0, 1 1, 1 0, 5 5)))",
    "s_intersects(geometry, POINT(0 91))",
    "t_after(datetime, INTERVAL('2001-01-01', '2000-01-01'))",
    "unknown(a, 1)",
    "a = 1; drop",
    `${"(".repeat(10_000)}a = 1${")".repeat(10_000)}`,
    `${"not ".repeat(10_000)}a = 1`,
    Array.from({ length: 301 }, () => "a = 1").join(" or "),
    `a in (${Array.from({ length: 1001 }, () => "1").join(",")})`,
    "a = '".padEnd(60_000, "x"),
  ])("is refused as text with a sentence, without failing: %.40s", (text) => {
    expect(() => readTextFilter(text)).toThrow(Unreadable);
  });

  it("says how a text is written, if one without quotes or in double quotes is read as a property", () => {
    for (const text of ["a = tas", 'a = "tas"', "a in ('pr', tas)"]) {
      expect(() => readTextFilter(text)).toThrow(/if tas is a text, write 'tas'$/);
    }
    expect(() => readTextFilter("a = MPI-ESM1-2-LR")).toThrow(
      'cannot be read from "-ESM1-2-LR" on; texts are in single quotes',
    );
  });

  const deep = (depth: number): unknown => {
    let filter: unknown = { op: "=", args: [{ property: "a" }, 1] };
    for (let index = 0; index < depth; index += 1) filter = { op: "not", args: [filter] };
    return filter;
  };

  it.each([
    [{}],
    [null],
    [[]],
    ["a = 1"],
    [{ op: "=", args: [] }],
    [{ op: "=", args: [{ property: "a" }, null] }],
    [{ op: "=", args: [{ property: "a" }, {}] }],
    [{ op: "no", args: [1] }],
    [{ op: "toString", args: [1, 2] }],
    [{ op: "and", args: [] }],
    [{ op: "in", args: [{ property: "a" }, "x"] }],
    [{ op: "between", args: [{ property: "a" }, [1]] }],
    [{ op: "s_intersects", args: [{ property: "geometry" }, { type: "Point", coordinates: [1] }] }],
    [{ op: "s_intersects", args: [{ property: "geometry" }, { type: "constructor" }] }],
    [deep(64)],
    [deep(10_000)],
  ])("is refused as JSON with a sentence, without failing: %.40j", (json) => {
    expect(() => readJsonFilter(json)).toThrow(Unreadable);
  });

  it("may be nested as deep as the bound", () => {
    expect(() => readJsonFilter(deep(62))).not.toThrow();
  });

  it("takes both bounds of between as a list, as some clients write them", () => {
    expect(readJsonFilter({ op: "between", args: [{ property: "a" }, [1, 2]] })).toEqual(
      readTextFilter("a between 1 and 2"),
    );
  });
});

describe("a pattern of LIKE", () => {
  it.each([
    ["t%", "tas", true],
    ["%s", "tas", true],
    ["_a_", "tas", true],
    ["_a", "tas", false],
    ["%", "", true],
    ["\\%", "%", true],
    ["\\%", "x", false],
    ["a\\_b", "a_b", true],
    ["a\\_b", "axb", false],
    ["%日%", "x日y", true],
    ["_", "\u{1F4A5}", true],
  ])("matches like SQL: %s for %s is %s", (pattern, text, expected) => {
    expect(matcher(pattern, unbounded)(text)).toBe(expected);
  });

  it("takes bounded time on patterns that would make regular expressions hang", () => {
    const start = performance.now();
    expect(matcher("%a".repeat(50), unbounded)(`${"a".repeat(2000)}b`)).toBe(false);
    expectBelow(performance.now() - start, 5000);
  });
});
