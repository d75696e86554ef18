/** What each group must have, as the rows of a form <-> as `need=` of the API. */
import { needParts, pairText } from "../../../src/domain/completeness/need-text.js";
import { Unreadable } from "../../../src/domain/extent/period.js";

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Empty texts are what has not been filled in yet. */
export interface NeedRow {
  readonly pairs: readonly Pair[];
  /** Facets of the groups that its files must share; empty for all of them. */
  readonly on: readonly string[];
  readonly from: string;
  readonly to: string;
}

export const EMPTY_NEED: NeedRow = { pairs: [{ name: "", value: "" }], on: [], from: "", to: "" };

/** @returns undefined where a text is no need, which the service then explains */
export function needRow(text: string): NeedRow | undefined {
  const row = { pairs: [] as Pair[], on: [] as string[], from: "", to: "" };
  try {
    for (const part of needParts(text)) {
      if (part.option === undefined) row.pairs.push({ name: part.name, value: part.value });
      else if (part.option === "on") row.on.push(...part.text.split(",").map((one) => one.trim()));
      else row[part.option] = part.text.trim();
    }
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  return row;
}

const isFilled = ({ name, value }: Pair): boolean => name !== "" && value !== "";

/** @param groupBy the facets of the groups: a need that is on all of them says nothing of it */
export function needText({ pairs, on, from, to }: NeedRow, groupBy: readonly string[]): string {
  const shared = groupBy.filter((name) => on.includes(name));
  const isOnAll = shared.length === 0 || shared.length === groupBy.length;
  return [
    ...pairs.filter(isFilled).map(({ name, value }) => pairText(name, value)),
    ...(isOnAll ? [] : [`on=${shared.join(",")}`]),
    ...(from.trim() === "" ? [] : [`from=${from.trim()}`]),
    ...(to.trim() === "" ? [] : [`to=${to.trim()}`]),
  ].join(";");
}

/** Whether a row asks for something; what does not is left out of the address. */
export const isNeed = ({ pairs }: NeedRow): boolean => pairs.some(isFilled);

/** A need without its period, for a sentence: variable_id tas, table_id Amon. */
export function needWords(text: string): string {
  const row = needRow(text);
  if (row === undefined) return text;
  const pairs = row.pairs.map(({ name, value }) => `${name} ${value}`).join(", ");
  return row.on.length === 0 ? pairs : `${pairs} (of the same ${row.on.join(", ")})`;
}

/** A gap, or a period, as years where it has whole ones; months and days otherwise. Ends that are open are `null`. */
export function gapWords(gap: {
  readonly from?: string | null;
  readonly to?: string | null;
}): string {
  const [from, to] = [shortened(gap.from, "01-01T00:00:00"), shortened(gap.to, "12-31T23:59:59")];
  if (from === undefined && to === undefined) return "all years";
  if (from === undefined) return `until ${to}`;
  if (to === undefined) return `from ${from}`;
  return from === to ? from : `${from} to ${to}`;
}

/** A moment without what is the first or last of its year, month, or day. */
function shortened(moment: string | null | undefined, whole: string): string | undefined {
  if (moment === null || moment === undefined) return undefined;
  const [, year = moment, rest = ""] = /^([+-]?\d+)-(.*?)Z?$/.exec(moment) ?? [];
  if (rest === whole) return year;
  const [date = "", time] = rest.split("T");
  return time === whole.split("T")[1] || time === undefined
    ? `${year}-${date}`
    : `${year}-${rest.slice(0, 11)}`;
}
