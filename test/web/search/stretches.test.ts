/** What datasets cover: as text, and on an axis. */
import { describe, expect, it } from "vitest";
import { ofDataset } from "../../../web/src/results/dataset-search.js";
import {
  beginsBefore,
  intervalOfStretch,
  placeOn,
  timeAxis,
} from "../../../web/src/results/time-axis.js";
import {
  calendarWords,
  minuteWords,
  periodWords,
  writtenPeriod,
} from "../../../web/src/service/dates.js";

const stretch = (start: string | null, end: string | null) => ({ start, end });

describe("the periods of a dataset", () => {
  it.each([
    ["1850-01-01T00:00:00Z", "2014-12-31T23:59:59Z", "1850 to 2014"],
    ["2000-01-01T00:00:00Z", "2000-12-31T23:59:59Z", "2000"],
    ["2000-02-01T00:00:00Z", "2000-02-29T23:59:59Z", "2000-02"],
    ["1999-12-01T00:00:00Z", "2001-02-28T23:59:59Z", "1999-12 to 2001-02"],
    ["2001-02-03T00:00:00Z", "2001-02-03T23:59:59Z", "2001-02-03"],
    ["1979-01-16T12:00:00Z", "2014-12-16T12:00:00Z", "1979-01-16 to 2014-12-16"],
    ["2014-01-01T00:00:00Z", "2014-12-31T21:00:00Z", "2014"],
    ["2001-02-03T06:00:00Z", "2001-02-03T18:00:00Z", "2001-02-03 06:00 to 2001-02-03 18:00"],
    ["-20000-01-01T00:00:00Z", "+12345-12-31T23:59:59Z", "-20000 to +12345"],
    ["1985-03-01T00:00:00Z", "1985-06-30T23:59:59Z", "1985-03 to 1985-06"],
    ["1985-03-01T06:00:00Z", null, "from 1985-03-01"],
    [null, "-0500-12-31T23:59:59Z", "until -0500"],
    [null, null, undefined],
  ])("are written short from %s to %s as %s", (start, end, text) => {
    expect(periodWords({ start, end })).toBe(text);
  });

  it.each([
    ["1980-01-01T00:00:00Z to 1990-12-31T23:59:59Z", "1980 to 1990"],
    ["[2001-02-01T00:00:00Z TO *]", "from 2001-02"],
    ["1990 to", "from 1990"],
    ["to 1990-06", "until 1990-06"],
    ["1990 to 1990", "1990"],
    ["fx", "fx"],
    ["2000-03", "2000-03"],
  ])("are written for %s as %s", (written, text) => {
    expect(writtenPeriod(written)).toBe(text);
  });

  it("are on an axis that begins and ends with a year, with a few years as labels", () => {
    const all = [
      stretch("1850-03-01T00:00:00Z", "1949-12-31T23:59:59Z"),
      stretch("1950-01-01T00:00:00Z", "2049-06-30T23:59:59Z"),
      stretch(null, null),
    ].map(intervalOfStretch);
    const axis = timeAxis(all);
    if (axis === undefined) throw new Error("has no axis");
    expect(axis.ticks.map(({ label }) => label)).toEqual(["1850", "1900", "1950", "2000"]);
    expect(new Date(axis.start).toISOString()).toBe("1850-01-01T00:00:00.000Z");
    expect(new Date(axis.end).toISOString()).toBe("2050-01-01T00:00:00.000Z");
    const [from = [0, 0], , constant] = all.map((one) => placeOn(axis, one));
    expect(from[0]).toBeGreaterThan(0);
    expect(from[1]).toBeCloseTo(0.5, 2);
    expect(constant).toEqual([0, 1]);
  });

  it("are on an axis from 1850 on if little begins long before, or on that of all", () => {
    const control = stretch("0001-01-01T00:00:00Z", "0500-12-31T23:59:59Z");
    const runs = Array.from({ length: 8 }, () =>
      stretch("1850-01-01T00:00:00Z", "2014-12-31T23:59:59Z"),
    );
    const axisOf = (...some: ReturnType<typeof stretch>[]) => timeAxis(some.map(intervalOfStretch));
    const constant = stretch(null, null);
    const cut = axisOf(...runs, control, constant, constant);
    expect(cut?.ticks[0]).toEqual({ at: 0, label: "1850" });
    expect(cut?.isCut).toBe(true);
    expect(
      cut && [
        beginsBefore(cut, intervalOfStretch(control)),
        ...runs.slice(0, 1).map((one) => beginsBefore(cut, intervalOfStretch(one))),
      ],
    ).toEqual([true, false]);
    const whole = axisOf(...runs.slice(0, 3), control);
    expect(whole?.isCut).toBe(false);
    expect(whole && beginsBefore(whole, intervalOfStretch(control))).toBe(false);
  });

  it("have no axis if nothing begins or ends, and one of any length", () => {
    expect(timeAxis([])).toBeUndefined();
    expect(timeAxis([intervalOfStretch(stretch(null, null))])).toBeUndefined();
    for (const [start, end] of [
      ["2000-01-01T00:00:00Z", "2000-01-01T00:00:00Z"],
      ["-200000-01-01T00:00:00Z", "+200000-12-31T23:59:59Z"],
      ["-20000000-01-01T00:00:00Z", "2000-12-31T23:59:59Z"],
    ] as const) {
      const axis = timeAxis([intervalOfStretch(stretch(start, end))]);
      expect(axis?.ticks.length, start).toBeGreaterThan(0);
      expect(axis?.ticks.length, start).toBeLessThan(8);
      expect(axis?.ticks.every(({ at }) => at >= 0 && at <= 1)).toBe(true);
    }
  });
});

describe("the search for one dataset", () => {
  it("keeps all of a search except names", () => {
    const pairs = [
      ["variable_id", "tas"],
      ["dataset_id", "CMIP6.*"],
      ["dataset_id_not_", "*.pr.*"],
      ["filter", "dataset_id=a"],
      ["filter", "model=b"],
    ] as const;
    expect(ofDataset(pairs, "a*b?")).toEqual([
      ["variable_id", "tas"],
      ["filter", "model=b"],
      ["dataset_id", "a\\*b\\?"],
    ]);
    expect(ofDataset([], null)).toEqual([["dataset_id_not_", "*"]]);
  });
});

describe("a moment", () => {
  it.each([
    ["1985-02-30T00:00:00", "1985-02-30"],
    ["1985-01-16T12:00:00", "1985-01-16 12:00"],
    ["1985-01-16T12:00:30.500000", "1985-01-16 12:00:30.500000"],
  ])("is written in a calendar, %s, as %s", (date, text) => {
    expect(calendarWords(date)).toBe(text);
  });

  it("is written in UTC, to the minute", () => {
    expect(minuteWords(1_700_000_000)).toBe("2023-11-14 22:13 UTC");
  });
});
