/** The label of a frequency -> the step between two times. Source: CMIP6_CVs and CMIP5, frequency; ISO 8601, durations. */

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
/** Words that say the same, each in one way only. */
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

/** @returns undefined where a label tells no step: of constant data, climatologies, `subhr` and what nobody knows */
export function stepOf(frequency: string): Step | undefined {
  const text = frequencyOfDuration(frequency.trim().toUpperCase()) ?? frequency.trim();
  const lower = text.toLowerCase();
  const [, count = "", unit = ""] = LABEL.exec(WORDS[lower] ?? lower) ?? [];
  const one = LENGTHS[unit];
  const times = Number(count || 1);
  return one === undefined || times === 0 ? undefined : { ...one, length: one.length * times };
}
