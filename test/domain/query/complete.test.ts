import { describe, expect, it } from "vitest";
import { wholeSteps } from "../../../src/domain/completeness/file-periods.js";
import { GroupAccumulator } from "../../../src/domain/completeness/group-accumulator.js";
import { needOf } from "../../../src/domain/completeness/need.js";
import { intervalOf } from "../../../src/domain/extent/intervals.js";

const DAY = 86_400_000;
/** More than a call may have arguments. */
const FILES = 130_000;

describe("a group of very many files with gaps between them", () => {
  it("lists what it lacks of a period without an end", () => {
    const need = needOf("variable:tas;from=1850", [{ field: "variable", values: ["tas"] }], [0], {
      from: "1850",
    });
    const groupBy = [{ name: "model", field: "model" }];
    const groups = new GroupAccumulator({ groupBy, needs: [need], isOfAll: true });
    const date = (days: number) => new Date(days * DAY).toISOString();
    groups.add(
      Array.from({ length: FILES }, (_, i) => ({
        ...{ model: "m", variable: "tas" },
        time_raw: `[${date(3 * i)} TO ${date(3 * i)}]`,
      })),
    );
    const { near, complete } = groups.result();
    expect(complete).toEqual([]);
    const [gap] = near[0]?.missing[0]?.gaps ?? [];
    expect(gap).toEqual({ start: Date.UTC(1850), end: 0 });
  });
});

describe("a file of daily or shorter steps", () => {
  it.each([
    ["of 360 days a year", "1949-12-30T23:59:59Z", "1950-01-01"],
    ["of 360 days a year, with its last value at noon", "1950-07-30T12:00:00Z", "1950-08-01"],
    ["without leap days", "2000-02-28T23:59:59Z", "2000-03-01"],
    ["of the usual calendar", "1949-12-31T21:00:00Z", "1950-01-01"],
    ["that lacks the 30th, too", "1949-12-29T23:59:59Z", "1949-12-30"],
    ["that ends in a year without 29 February", "1999-02-28T23:59:59Z", "1999-03-01"],
  ])("adjoins the next one: %s", (_, end, next) => {
    for (const frequency of ["day", "6hr", "3hrPt"]) {
      const stated = intervalOf(`[1900-01-01T00:00:00Z TO ${end}]`);
      const whole = stated && wholeSteps(stated, [frequency]);
      expect(whole).toEqual({ start: Date.UTC(1900), end: Date.parse(next) });
    }
  });
});
