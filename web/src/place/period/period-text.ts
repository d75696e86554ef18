/** A period as in the API, `time=A to B`, and as years for the timeline. Independent of calendars. */
import { readDate, readPeriod, Unreadable } from "../../../../src/domain/extent/period.js";
import { reading } from "../../service/reading.js";
import { yearOf } from "../../service/years.js";

/** Both ends as written; a missing end is open. */
export interface Ends {
  readonly from?: string;
  readonly to?: string;
}

/** Years, the last one included; a missing end is open. */
export interface Years {
  readonly first?: number;
  readonly last?: number;
}

/** @returns undefined if the text is not a period, or excludes one: `!...`, `not ...` */
export function endsOf(text: string): Ends | undefined {
  const seen: string[] = [];
  const period = reading(() =>
    readPeriod(text, (date) => {
      seen.push(date);
      return readDate(date);
    }),
  );
  if (period instanceof Unreadable) return undefined;
  const [one = "", other = one] = seen;
  return {
    ...(period.start !== undefined && { from: one }),
    ...(period.end !== undefined && { to: other }),
  };
}

/** @returns undefined if both ends are open */
export function periodText({ from = "", to = "" }: Ends): string | undefined {
  const [first, last] = [from.trim(), to.trim()];
  if (first === "" && last === "") return undefined;
  if (first === "") return `to ${last}`;
  return last === "" ? `${first} to` : `${first} to ${last}`;
}

/** The problem with the ends; undefined if there is none. */
export function periodFault(ends: Ends): string | undefined {
  const text = periodText(ends);
  if (text === undefined) return undefined;
  const period = reading(() => readPeriod(text));
  return period instanceof Unreadable ? period.message : undefined;
}

/** A year as the API takes it (ISO 8601). */
export function yearText(year: number): string {
  const digits = String(Math.abs(year)).padStart(4, "0");
  if (year < 0) return `-${digits}`;
  return year > 99_999 ? `+${digits}` : digits;
}

export function yearsOf({ from, to }: Ends): Years {
  const first = from === undefined ? undefined : yearOf(readDate(from).start);
  const last = to === undefined ? undefined : yearOf(readDate(to).end);
  return { ...(first !== undefined && { first }), ...(last !== undefined && { last }) };
}

export const endsOfYears = ({ first, last }: Years): Ends => ({
  ...(first !== undefined && { from: yearText(first) }),
  ...(last !== undefined && { to: yearText(last) }),
});

export interface Preset extends Years {
  readonly name: "historical" | "scenario" | "last30";
}

/** CMIP6's periods: `historical` ends in 2014, the scenarios of ScenarioMIP in 2100. @param now this year */
export const presets = (now: number): readonly Preset[] => [
  { name: "historical", first: 1850, last: 2014 },
  { name: "scenario", first: 2015, last: 2100 },
  { name: "last30", first: now - 30, last: now - 1 },
];
