/** Gaps and overlaps within a stream, in all calendars, against what was taken out of or put into a run without a break. */
import { describe, expect, it } from "vitest";
import { readSpan } from "../../../src/catalogue/doctor/span.js";
import { findBreaks, type Timed } from "../../../src/catalogue/doctor/times.js";
import { DAY, HOUR, SECOND } from "../../../src/domain/extent/durations.js";
import { stepOf } from "../../../src/domain/extent/frequency-step.js";
import { type Calendar, calendarNamed } from "../../../src/files/cf/calendar.js";
import { isoDate } from "../../../src/files/cf/time-units.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";

const calendar = (name: string): Calendar => {
  const found = calendarNamed(name);
  if (found === undefined) throw new Error(name);
  return found;
};
const step = (label: string) => {
  const found = stepOf(label);
  if (found === undefined) throw new Error(label);
  return found;
};

function timed(range: string, name?: string, file = range): Timed {
  const [from = "", to = ""] = range.split(" ");
  const full = (date: string): string => (date.includes("T") ? date : `${date}T00:00:00`);
  const span = readSpan(`${full(from)}Z`, `${full(to)}Z`);
  if (span === undefined) throw new Error(range);
  return { file: `/d/${file}`, span, calendar: name === undefined ? undefined : calendar(name) };
}
const days = (range: string): string => `${range}T23:59:59`;

const NAMES = ["standard", "proleptic_gregorian", "noleap", "all_leap", "360_day", "julian"];

/** Files of cells, or of moments, without a break. */
function run(
  name: string,
  frequency: string,
  isCells: boolean,
  random: () => number,
): { readonly from: number; readonly to: number; readonly steps: number }[] {
  const of = calendar(name);
  const { unit, length } = step(frequency);
  const year = [-3, 150, 1849, 1999, 10_500][Math.floor(random() * 5)] ?? 1;
  const edge = (index: number): number => {
    const first = (of.toDays({ year, month: 1, day: 1 }) ?? 0) * DAY;
    if (unit === "millisecond") return first + index * length;
    const months = index * length;
    const date = { year: year + Math.floor(months / 12), month: (months % 12) + 1, day: 1 };
    return (of.toDays(date) ?? 0) * DAY;
  };
  let at = Math.floor(random() * 40);
  return Array.from({ length: 12 }, () => {
    // More than the days that the end of a February may stand for.
    const least = unit === "month" ? 2 : Math.ceil((5 * DAY) / length);
    const steps = least + Math.floor(random() * (unit === "month" ? 14 : 400));
    const from = at;
    at += steps;
    // Moments lie anywhere in their step, all at the same place.
    const moment = (i: number): number => (edge(i) + edge(i + 1)) / 2;
    return isCells
      ? { from: edge(from), to: edge(at) - SECOND, steps }
      : { from: moment(from), to: moment(at - 1), steps };
  });
}

describe("a series of files", () => {
  const random = chance(SEED);
  const text = (moment: number, of: Calendar): string => isoDate(moment, of).slice(0, -1);
  /** As a file's range is written: the moments of a day that the index does not have may change places. */
  const range = ({ from, to }: { readonly from: number; readonly to: number }, of: Calendar) => {
    const [first, last] = [text(from, of), text(to, of)];
    const isTurned = first.slice(0, -9) === last.slice(0, -9) && first > last;
    return `${first} ${isTurned ? first : last}`;
  };

  it.each(
    attempts(
      [1, 2, 3],
      Array.from({ length: 60 }, (_, i) => i),
    ),
  )("has no gap if it is complete, and exactly the gap of a missing file (%#)", () => {
    for (const name of NAMES) {
      for (const frequency of ["mon", "day", "6hr", "3hr", "1hr", "yr", "sem", "monPt"]) {
        for (const isCells of [true, false]) {
          const said = `SEED=${SEED} ${name} ${frequency} ${isCells}`;
          const of = calendar(name);
          const parts = run(name, frequency, isCells, random);
          const files = parts.map((part, i) => timed(range(part, of), name, `${i}`));
          const unread = files.map(({ file, span }) => ({ file, span, calendar: undefined }));
          expect(findBreaks(files, step(frequency)).breaks, said).toEqual([]);
          expect(findBreaks(unread, step(frequency)).breaks, said).toEqual([]);
          const lost = 1 + Math.floor(random() * 10);
          const broken = findBreaks(files.toSpliced(lost, 1), step(frequency)).breaks;
          expect(broken, said).toMatchObject([
            { kind: "gap", before: { file: `/d/${lost - 1}` }, after: { file: `/d/${lost + 1}` } },
          ]);
          // What days the end of a February stands for is not known.
          const slack = frequency.startsWith("mon") || frequency === "yr" ? 0 : 2 * DAY;
          const count = parts[lost]?.steps ?? 0;
          const { length, unit } = step(frequency);
          const steps = broken[0]?.steps[0] ?? 0;
          expect(steps, said).toBeLessThanOrEqual(count);
          expect(steps, said).toBeGreaterThanOrEqual(
            count - (unit === "month" ? 0 : (2 * slack) / length),
          );
        }
      }
    }
  });

  it("overlaps exactly where a file is there twice or contains another one", () => {
    for (const name of NAMES) {
      const of = calendar(name);
      const parts = run(name, "mon", true, random);
      const files = parts.map((part, i) => timed(range(part, of), undefined, `${i}`));
      const again = { ...(files[4] as Timed), file: "/d/again" };
      expect(findBreaks([...files, again], step("mon")).breaks).toMatchObject([
        { kind: "overlap", before: { file: "/d/4" }, after: { file: "/d/again" } },
      ]);
      const [first, last] = [parts[3], parts[5]];
      const all = timed(range({ from: first?.from ?? 0, to: last?.to ?? 0 }, of), undefined, "all");
      const overlaps = findBreaks([...files, all], step("mon")).breaks;
      expect(overlaps.map(({ kind }) => kind)).toEqual(["overlap", "overlap", "overlap"]);
    }
  });
});

describe("two files", () => {
  const kinds = (frequency: string, ranges: readonly string[], name?: string) => {
    const found = findBreaks(
      ranges.map((range) => timed(range, name)),
      step(frequency),
    );
    return [
      ...found.breaks.map(({ kind, steps }) => `${kind} ${steps[0]}`),
      ...found.needsCalendar.map(() => "calendar?"),
      ...found.needsStep.map(() => "step?"),
    ];
  };

  it.each([
    ["a year of 360 days", "360_day", ["2000-01-01 ", days("2000-12-30")], "2001-01-01", []],
    [
      "the same, which nobody has read",
      undefined,
      ["2000-01-01 ", days("2000-12-30")],
      "2001-01-01",
      ["calendar?"],
    ],
    [
      "the same in another calendar",
      "standard",
      ["2000-01-01 ", days("2000-12-30")],
      "2001-01-01",
      ["gap 1"],
    ],
    ["no 29 February", "noleap", ["2000-01-01 ", days("2000-02-28")], "2000-03-01", []],
    [
      "no 29 February, unread",
      undefined,
      ["2000-01-01 ", days("2000-02-28")],
      "2000-03-01",
      ["calendar?"],
    ],
    [
      "a 29 February that is lost",
      "standard",
      ["2000-01-01 ", days("2000-02-28")],
      "2000-03-01",
      ["gap 1"],
    ],
    [
      "the end of an ordinary February",
      undefined,
      ["2001-01-01 ", days("2001-02-28")],
      "2001-03-01",
      [],
    ],
    [
      "30 February of a model, which is written as the 28th",
      "360_day",
      ["2001-01-01 ", days("2001-02-28")],
      "2001-02-28",
      [],
    ],
    [
      "an end that a file's name tells, of 360 days",
      "360_day",
      ["2000-01-01 ", days("2000-12-31")],
      "2001-01-01",
      [],
    ],
    ["October 1582", "standard", ["1582-01-01 ", days("1582-10-04")], "1582-10-15", []],
    [
      "October 1582, of who did not care",
      "proleptic_gregorian",
      ["1582-01-01 ", days("1582-10-04")],
      "1582-10-15",
      ["gap 10"],
    ],
    ["a day", undefined, ["2000-01-01 ", days("2000-06-15")], "2000-06-17", ["gap 1"]],
    ["the same day", undefined, ["2000-01-01 ", days("2000-06-15")], "2000-06-15", ["overlap 1"]],
  ] as const)(
    "has a gap or overlap as its calendar says: %s",
    (_, name, [from, to], next, expected) => {
      const later = `${next} ${days("2003-12-30")}`;
      const said = kinds("day", [`${from.trim()} ${to}`, later], name);
      // In its own calendar a day that the index cannot name is no alarm, nor anything to look for.
      expect(said.filter((one) => name === undefined || one !== "step?")).toEqual(expected);
    },
  );

  it.each([
    ["6hr", "2000-01-01 2000-12-31T18:00:00", "2001-01-01 2001-12-31T18:00:00", []],
    ["6hr", "2000-01-01 2000-12-31T18:00:59", "2001-01-01 2001-12-31T18:00:59", []],
    ["6hr", "2000-01-01 2000-12-31T18:59:59", "2001-01-01 2001-12-31T18:59:59", []],
    ["6hr", "2000-01-01 2000-12-31T17:59:59", "2001-01-01 2001-12-31T18:00:00", ["gap 1"]],
    ["6hrPt", "2000-01-01T06:00:00 2001-01-01", "2001-01-01T06:00:00 2002-01-01", []],
    ["6hrPt", "2000-01-01T06:00:00 2001-01-01", "2001-01-01T12:00:00 2002-01-01", ["gap 1"]],
    ["6hrPt", "2000-01-01T00:00:00 2001-01-01", "2001-01-01T00:00:00 2002-01-01", ["step?"]],
    ["6hrPt", "2000-01-01T00:00:00 2001-01-01", "2000-12-31T12:00:00 2002-01-01", ["overlap 2"]],
    [
      "3hr",
      "2000-01-01T01:30:00 2000-12-31T22:30:00",
      "2001-01-01T01:30:00 2001-12-31T22:30:00",
      [],
    ],
    [
      "mon",
      "2000-01-16T12:00:00 2000-12-16T12:00:00",
      "2001-01-16T12:00:00 2001-12-16T12:00:00",
      [],
    ],
    [
      "mon",
      "2000-01-16T12:00:00 2000-12-16T12:00:00",
      "2001-02-15T00:00:00 2001-12-16T12:00:00",
      ["gap 1"],
    ],
    [
      "mon",
      "2000-01-31T00:00:00 2000-12-31T00:00:00",
      "2001-01-31T00:00:00 2001-12-31T00:00:00",
      [],
    ],
    [
      "mon",
      "2000-01-01T00:00:00 2000-12-01T00:00:00",
      "2001-01-01T00:00:00 2001-12-01T00:00:00",
      [],
    ],
    [
      "yr",
      "2000-07-02T12:00:00 2010-07-02T12:00:00",
      "2011-07-02T12:00:00 2012-07-02T12:00:00",
      [],
    ],
    [
      "yr",
      "2000-07-02T12:00:00 2010-07-02T12:00:00",
      "2012-07-02T12:00:00 2013-07-02T12:00:00",
      ["gap 1"],
    ],
  ] as const)(
    "has a gap or overlap as its frequency says: %s, [%s] and [%s]: %j",
    (frequency, a, b, expected) => {
      expect(kinds(frequency, [a, b])).toEqual(expected);
    },
  );

  it("may be copies in different folders, and fill each other's gaps; folders of numbers are one", () => {
    const year = (of: number, folder: string): Timed =>
      timed(`${of}-01-01 ${days(`${of}-12-31`)}`, undefined, `${folder}/${of}.nc`);
    const both = [2000, 2001, 2002].flatMap((of) => [year(of, "a"), year(of, "b")]);
    expect(findBreaks(both, step("day")).breaks).toEqual([]);
    expect(findBreaks(both.toSpliced(2, 1), step("day")).breaks).toEqual([]);
    expect(findBreaks(both.toSpliced(2, 2), step("day")).breaks).toMatchObject([{ kind: "gap" }]);
    const parts = [year(2000, "2000"), year(2000, "2001")];
    expect(findBreaks(parts, step("day")).breaks).toMatchObject([{ kind: "overlap" }]);
  });
});

describe("a time step", () => {
  it.each(["fx", "subhr", "monC", "1hrCM", "ofx", "0day", "", "often", "day mon"])(
    "is not guessed from %j",
    (label) => expect(stepOf(label)).toBeUndefined(),
  );
  it.each([
    ["6hrPt", "millisecond", 6 * HOUR],
    ["DAY", "millisecond", DAY],
    ["P1D", "millisecond", DAY],
    ["PT6H", "millisecond", 6 * HOUR],
    ["P1M", "month", 1],
    ["monthly", "month", 1],
    ["sem", "month", 3],
    ["5yr", "month", 60],
  ] as const)("is read from the label %s", (label, unit, length) => {
    expect(stepOf(label)).toEqual({ unit, length });
  });
});
