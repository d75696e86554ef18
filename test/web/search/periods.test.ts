/** Periods, as the page makes `time` of them and draws them. */
import { describe, expect, it } from "vitest";
import { histogramOf, shownFirst } from "../../../web/src/place/period/histogram.js";
import {
  endsOf,
  endsOfYears,
  periodFault,
  periodText,
  yearsOf,
  yearText,
} from "../../../web/src/place/period/period-text.js";

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

  it("does not exist for an exclusion or an invalid text", () => {
    for (const text of ["!1990", "not 1990 to 2000", "2000 to 1990", "yesterday", ""]) {
      expect([text, endsOf(text)]).toEqual([text, undefined]);
    }
    expect(endsOf("fx")).toEqual({});
    expect(periodText({ from: " ", to: "" })).toBeUndefined();
  });

  it("reports its error", () => {
    expect(periodFault({ from: "1990", to: "1980" })).toContain("ends before it starts");
    expect(periodFault({ from: "1990-13" })).toBeDefined();
    expect(periodFault({ from: "1990" })).toBeUndefined();
  });

  it("is written in years that the service reads as the same ones", () => {
    for (const year of [-20_000, -1, 0, 1, 99, 1850, 9999, 10_000, 123_456]) {
      expect(yearsOf(endsOfYears({ first: year, last: year }))).toEqual({
        first: year,
        last: year,
      });
    }
    expect(yearText(50)).toBe("0050");
  });
});

describe("the years of the results", () => {
  const counted = (bars: [first: number, files: number][], years_per_bar: number) => ({
    total_count: 100,
    known_files: 50,
    first: bars[0]?.[0] ?? null,
    last: 2100,
    years_per_bar,
    bars: bars.map(([first, files]) => ({ first, last: first + years_per_bar - 1, files })),
  });

  it("are drawn as they are counted, and not without counts", () => {
    const bars: [number, number][] = [
      [1850, 3],
      [1851, 5],
    ];
    const told = counted(bars, 1);
    expect(histogramOf(told)).toEqual({ first: 1850, last: 2100, bars: told.bars, max: 5 });
    // A bar begins at a multiple of its length.
    expect(histogramOf({ ...told, first: 1851 })?.first).toBe(1851);
    expect(histogramOf({ ...told, first: null, last: null, bars: [] })).toBeUndefined();
  });

  it("are shown from 1850 on at first if nearly all are later", () => {
    const long = (before: number) => {
      const bars: [number, number][] = [
        [-20_000, before],
        [1800, 30],
        [2000, 30],
      ];
      return histogramOf(counted(bars, 200));
    };
    const [few, many] = [long(1), long(40)];
    expect(few && shownFirst(few)).toBe(1850);
    expect(many && shownFirst(many)).toBe(-20_000);
    const short = histogramOf(counted([[1800, 1]], 200));
    expect(short && shownFirst(short)).toBe(1800);
  });
});
