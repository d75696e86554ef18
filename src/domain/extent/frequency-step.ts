/** The time step of a frequency label. Source: CMIP6_CVs and CMIP5, frequency; ISO 8601, durations. */

import { DAY, HOUR, MINUTE } from "./durations.js";
import { frequencyOfDuration } from "./frequency.js";

/** A step of calendar months, or of milliseconds. */
export type Step =
  | { readonly unit: "month"; readonly length: number }
  | { readonly unit: "millisecond"; readonly length: number };

const LENGTHS: Readonly<Record<string, Step>> = {
  min: { unit: "millisecond", length: MINUTE },
  hr: { unit: "millisecond", length: HOUR },
  day: { unit: "millisecond", length: DAY },
  mon: { unit: "month", length: 1 },
  sem: { unit: "month", length: 3 },
  yr: { unit: "month", length: 12 },
  dec: { unit: "month", length: 120 },
};
/** Other words for a label; only words with a single meaning. */
const WORDS: Readonly<Record<string, string>> = {
  hourly: "hr",
  daily: "day",
  monthly: "mon",
  yearly: "yr",
  annual: "yr",
  year: "yr",
  month: "mon",
};
const LABEL = /^(\d{0,3})(min|hr|day|mon|sem|yr|dec)(?:pt)?$/;

/** @returns undefined for labels without a fixed step: constant data, climatologies, `subhr` and unknown labels */
export function stepOf(frequency: string): Step | undefined {
  const text = frequencyOfDuration(frequency.trim().toUpperCase()) ?? frequency.trim();
  const lower = text.toLowerCase();
  const [, count = "", unit = ""] = LABEL.exec(WORDS[lower] ?? lower) ?? [];
  const one = LENGTHS[unit];
  const times = Number(count || 1);
  return one === undefined || times === 0 ? undefined : { ...one, length: one.length * times };
}
