/** Times as numbers, by the calendars and units of the CF conventions. */
import { describe, expect, it } from "vitest";
import { PROLEPTIC_GREGORIAN } from "../../../src/files/cf/calendar.js";
import { Unclear } from "../../../src/files/cf/header.js";
import { calendarDate, isoDate, readTimeUnits } from "../../../src/files/cf/time-units.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { pythonOf, runPython } from "../../support/programs/python.js";
import { SEED } from "../../support/run/trials.js";

const date = (value: number, units: string, calendar = ""): string => {
  const read = readTimeUnits(units, calendar);
  return isoDate(read.instant(value), read.calendar);
};

interface Case {
  readonly calendar: string;
  readonly units: string;
  readonly value: number;
  readonly date: string;
  /** In its own calendar, with microseconds. */
  readonly own: string;
}

/** Whether two dates are the same but for what the last bit of a double of long ago is worth. */
function isNear(one: string, other: string): boolean {
  const [[day, clock = ""], [otherDay, otherClock = ""]] = [
    one.split("T"),
    other.split("T"),
  ] as const;
  const seconds = (text: string): number =>
    text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return day === otherDay && Math.abs(seconds(clock) - seconds(otherClock)) <= 5e-6;
}

describe("a time", () => {
  it("is the date that cftime reads, in all calendars, units and spellings, from -30000 to 30000", async () => {
    pythonOf();
    const lines = await runPython([
      packagePath("test", "files", "cf", "time_cases.py"),
      String(SEED),
    ]);
    const cases = lines.trim().split("\n");
    expect(cases.length).toBeGreaterThan(2000);
    const wrong = cases
      .map((line) => JSON.parse(line) as Case)
      .map((one) => ({ ...one, read: date(one.value, one.units, one.calendar) }))
      .filter((one) => one.read !== one.date);
    expect(wrong).toEqual([]);
    const labels = cases
      .map((line) => JSON.parse(line) as Case)
      .map((one) => ({
        ...one,
        read: calendarDate(one.value, readTimeUnits(one.units, one.calendar)),
      }))
      .filter((one) => !isNear(one.read, one.own));
    expect(labels).toEqual([]);
  });

  it("is restored from its day in every calendar, over four thousand years", () => {
    for (const name of [
      "standard",
      "proleptic_gregorian",
      "julian",
      "noleap",
      "all_leap",
      "360_day",
    ]) {
      const { calendar } = readTimeUnits("days since 0001-01-01", name);
      const first = calendar.toDays({ year: -1000, month: 1, day: 1 }) ?? Number.NaN;
      let wrong = 0;
      for (let days = first; days < first + 4000 * 366; days += 7) {
        if (calendar.toDays(calendar.fromDays(days)) !== days) wrong += 1;
      }
      expect(wrong, name).toBe(0);
    }
    expect(PROLEPTIC_GREGORIAN.fromDays(2_451_545)).toEqual({ year: 2000, month: 1, day: 1 });
  });

  it("skips from 4 to 15 October 1582 in the standard calendar, which is also the default", () => {
    expect(date(1, "days since 1582-10-04")).toBe("1582-10-15T00:00:00Z");
    expect(date(-1, "days since 1582-10-15", "gregorian")).toBe("1582-10-04T00:00:00Z");
    expect(date(1, "days since 1582-10-04", "proleptic_gregorian")).toBe("1582-10-05T00:00:00Z");
    expect(() => date(0, "days since 1582-10-10")).toThrow(Unclear);
  });

  it("becomes the last day of its month if the index does not have that day", () => {
    expect(date(59, "days since 2001-01-01", "360_day")).toBe("2001-02-28T00:00:00Z");
    expect(date(59.5, "days since 2000-01-01", "360_day")).toBe("2000-02-29T12:00:00Z");
    expect(date(59, "days since 2001-01-01", "366_day")).toBe(
      "2001-02-29T00:00:00Z".replace("29", "28"),
    );
  });

  it("shows the year of a number that is a date as it is written, whatever the calendar", () => {
    for (const calendar of ["", "julian", "proleptic_gregorian", "360_day"]) {
      const shown = (value: number) =>
        calendarDate(value, readTimeUnits("day as %Y%m%d.%f", calendar));
      expect(shown(-200_000_115.5)).toMatch(/^-20000-01-15T12:00/);
      expect(shown(115)).toMatch(/^0000-01-15/);
    }
  });

  it.each([
    ["day as %Y%m%d.%f", "", 20_200_115.75, "2020-01-15T18:00:00Z"],
    // As CDO writes dates before year 0: the sign is that of the year.
    ["day as %Y%m%d.%f", "proleptic_gregorian", -200_000_115.5, "-20000-01-15T12:00:00Z"],
    ["day as %Y%m%d.%f", "360_day", 123_450_230, "+12345-02-28T00:00:00Z"],
    ["day as %Y%m%d.%f", "noleap", 101.25, "0000-01-01T06:00:00Z"],
    ["hours since 18500101", "noleap", 6, "1850-01-01T06:00:00Z"],
    ["days since 0000-01-01", "proleptic_gregorian", 0, "0000-01-01T00:00:00Z"],
    ["days since -4713-01-01T12:00:00Z", "julian", 2_451_545, "1999-12-19T12:00:00Z"],
    ["days since -4713-01-01T12:00:00Z", "standard", 2_451_545, "2000-01-01T12:00:00Z"],
    ["days since -0001-01-01", "proleptic_gregorian", 0, "-0001-01-01T00:00:00Z"],
    ["days since 10000-01-01", "noleap", 365, "+10001-01-01T00:00:00Z"],
    ["weeks since 2000-01-01", "", 2, "2000-01-15T00:00:00Z"],
    ["nanoseconds since 1970-01-01", "", 1_600_000_000_000_000_000, "2020-09-13T12:26:40Z"],
    ["months since 2000-01-01", "360_day", 14, "2001-03-01T00:00:00Z"],
    ["common_years since 2000-01-01", "noleap", 3, "2003-01-01T00:00:00Z"],
    ["days since 2000-01-01 00:00:00 UTC", "", 1, "2000-01-02T00:00:00Z"],
    ["days since 2000-01-01 06", "", 1, "2000-01-02T06:00:00Z"],
    ["days since 2000-01-01 +01:00", "", 1, "2000-01-01T23:00:00Z"],
    // The example of CF, 4.4: cftime takes no hour of one digit.
    ["seconds since 1992-10-8 15:15:42.5 -6:00", "", 0, "1992-10-08T21:15:42Z"],
    ["days since 2000", "", 1, "2000-01-02T00:00:00Z"],
  ])("is read in %s (%s): %d", (units, calendar, value, expected) => {
    expect(date(value, units, calendar)).toBe(expected);
  });

  it.each([
    ["months since 1955-01-01", "standard", /no fixed length in its calendar/],
    ["years since 2000-01-01", "360_day", /no fixed length/],
    ["common_years since 2000-01-01", "standard", /no fixed length/],
    ["fortnights since 2000-01-01", "", /not a unit of time/],
    ["days since yesterday", "", /whose reference date is invalid/],
    ["days since 2001-02-29", "", /whose reference date is invalid/],
    ["days since 2001-01-31", "360_day", /whose reference date is invalid/],
    ["days since 01-01-1850", "", /whose reference date is invalid/],
    ["days since 2000-01-01 25:00", "", /whose reference date is invalid/],
    ["days since 2000-01-01", "tai", /unknown calendar "tai"/],
  ])("is refused in %s (%s), as it is ambiguous", (units, calendar, reason) => {
    expect(() => date(0, units, calendar)).toThrow(reason);
  });

  it("is refused outside of all history, or if it is no date YYYYMMDD", () => {
    expect(() => date(1e20, "days since 2000-01-01")).toThrow(Unclear);
    expect(() => date(20_201_332, "day as %Y%m%d.%f")).toThrow(/not a date YYYYMMDD/);
  });
});
