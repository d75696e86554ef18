/** A period as the API writes it, `time=A to B`, and as a timeline has it: in years. Nothing here depends on a calendar. */
import {
  type Period,
  readDate,
  readPeriod,
  Unreadable,
} from "../../../src/domain/extent/period.js";
import { yearOf } from "../service/years.js";

/** The two ends as they were written; an end that is missing is open. */
export interface Ends {
  readonly from?: string;
  readonly to?: string;
}

/** Years, the last one included; an end that is missing is open. */
export interface Years {
  readonly first?: number;
  readonly last?: number;
}

/** @returns undefined where a text is no period, or one that is excluded: `!...`, `not ...` */
export function endsOf(text: string): Ends | undefined {
  const seen: string[] = [];
  let period: Period;
  try {
    period = readPeriod(text, (date) => {
      seen.push(date);
      return readDate(date);
    });
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  const [one = "", other = one] = seen;
  return {
    ...(period.start !== undefined && { from: one }),
    ...(period.end !== undefined && { to: other }),
  };
}

/** @returns undefined where both ends are open, which is no restriction */
export function periodText({ from = "", to = "" }: Ends): string | undefined {
  const [first, last] = [from.trim(), to.trim()];
  if (first === "" && last === "") return undefined;
  if (first === "") return `to ${last}`;
  return last === "" ? `${first} to` : `${first} to ${last}`;
}

/** What is wrong with two ends, in words; undefined where nothing is. */
export function periodFault(ends: Ends): string | undefined {
  const text = periodText(ends);
  if (text === undefined) return undefined;
  try {
    readPeriod(text);
    return undefined;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

/** A year of ISO's calendar as the API takes it. */
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

/** Periods of CMIP6: `historical` ends with 2014, the scenarios of ScenarioMIP with 2100. @param now this year */
export const presets = (now: number): readonly Preset[] => [
  { name: "historical", first: 1850, last: 2014 },
  { name: "scenario", first: 2015, last: 2100 },
  { name: "last30", first: now - 30, last: now - 1 },
];
