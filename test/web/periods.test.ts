/** Periods, as the page makes `time` of them and draws them. */
import { describe, expect, it } from "vitest";
import { histogramOf, shownFirst } from "../../web/src/place/histogram.js";
import {
  endsOf,
  endsOfYears,
  periodFault,
  periodText,
  yearsOf,
  yearText,
} from "../../web/src/place/period-text.js";

describe("a period", () => {
  it.each([
    ["1850 to 2014", { from: "1850", to: "2014" }, { first: 1850, last: 2014 }],
    ["1850-03 to", { from: "1850-03" }, { first: 1850 }],
    ["to 2000-06-15T12", { to: "2000-06-15T12" }, { last: 2000 }],
    ["[1990 TO *]", { from: "1990" }, { first: 1990 }],
    ["2001", { from: "2001", to: "2001" }, { first: 2001, last: 2001 }],
    ["-0100 to 0050", { from: "-0100", to: "0050" }, { first: -100, last: 50 }],
    ["12000 to 13000", { from: "12000", to: "13000" }, { first: 12_000, last: 13_000 }],
  ])("%s has its ends, and its years", (text, ends, years) => {
    expect(endsOf(text)).toEqual(ends);
    expect(yearsOf(ends)).toEqual(years);
    expect(endsOf(periodText(ends) ?? "")).toEqual(ends);
  });

  it("is none where the text excludes, or is none", () => {
    for (const text of ["!1990", "not 1990 to 2000", "2000 to 1990", "yesterday", ""]) {
      expect([text, endsOf(text)]).toEqual([text, undefined]);
    }
    expect(endsOf("fx")).toEqual({});
    expect(periodText({ from: " ", to: "" })).toBeUndefined();
  });

  it("says what is wrong with it", () => {
    expect(periodFault({ from: "1990", to: "1980" })).toContain("ends before it starts");
    expect(periodFault({ from: "1990-13" })).toBeDefined();
    expect(periodFault({ from: "1990" })).toBeUndefined();
  });

  it("is written in years that the service reads as the same ones", () => {
    for (const year of [-20_000, -1, 0, 1, 99, 1850, 9999, 10_000, 123_456]) {
      expect(yearsOf(endsOfYears({ first: year, last: year }))).toEqual({
        ...{ first: year, last: year },
      });
    }
    expect(yearText(50)).toBe("0050");
  });
});

describe("the years of what is found", () => {
  it("has what each period covers in each of its years, and nothing of what is open", () => {
    const histogram = histogramOf([
      ["[1850-01-01T00:00:00Z TO 1851-12-31T23:59:59Z]", 3],
      ["[1851 TO 1853]", 2],
      ["[* TO *]", 100],
      ["[1990 to *]", 100],
      ["odd", 1],
    ]);
    expect(histogram?.bars.map(({ first, files }) => [first, files])).toEqual([
      [1850, 3],
      [1851, 5],
      [1852, 2],
      [1853, 2],
    ]);
    expect(histogram?.most).toBe(5);
    expect(histogramOf([["[* TO *]", 1]])).toBeUndefined();
  });

  it("draws long times in few bars", () => {
    const histogram = histogramOf([
      ["[-20000 TO -19001]", 1],
      ["[1850 TO 2100]", 40],
    ]);
    expect(histogram?.bars.length).toBeLessThanOrEqual(121);
    expect(histogram && shownFirst(histogram, 1850)).toBe(1850);
    const since = histogramOf([["[-20000 TO 1859]", 3]], 1850);
    expect(since?.bars.map((bar) => bar.first).slice(0, 2)).toEqual([1850, 1851]);
    expect(histogram?.bars[0]).toEqual({ first: -20_000, last: -19_801, files: 1 });
    expect(histogram?.bars.at(-1)).toMatchObject({ first: 2000, files: 40 });
  });
});
