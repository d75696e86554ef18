/** Labels of time frequencies, as CMIP and CORDEX use them. */
import { DAY, HOUR, MINUTE } from "./durations.js";

/**
 * Labels of CMIP6 (CMIP6_CVs, frequency), CMIP5 and CORDEX, and others of the same form, such as 30min. Free text in a
 * `frequency` attribute, such as "sampled half hourly", would never be searched for.
 */
const LABEL = /^(?:fx|dec|sem|subhr|\d{0,3}(?:min|hr|day|mon|yr))(?:Pt|CM|C|Clim)?$/;

export function isFrequencyLabel(text: string): boolean {
  return LABEL.test(text);
}

const multiples = (label: string, unit: number, counts: readonly number[]) =>
  counts.map((count): readonly [string, number, number] => [
    `${count}${label}`,
    count * unit,
    count * unit,
  ]);

/** Label, shortest step and longest step in milliseconds. */
const STEPS: readonly (readonly [string, number, number])[] = [
  ...multiples("min", MINUTE, [1, 2, 3, 5, 6, 10, 12, 15, 20, 30]),
  ...multiples("hr", HOUR, [1, 2, 3, 4, 6, 8, 12]),
  ["day", DAY, DAY],
  ...multiples("day", DAY, [2, 3, 4, 5, 7, 8, 10, 14, 16]),
  ["mon", 28 * DAY, 31 * DAY],
  ["sem", 89 * DAY, 92 * DAY],
  ["yr", 360 * DAY, 366 * DAY],
  ["dec", 3600 * DAY, 3653 * DAY],
];

/** Allowed relative deviation: times in single precision are off by minutes. */
const TOLERANCE = 0.03;

/** The label of a step in milliseconds; undefined if no label fits. */
export function frequencyOf(step: number): string | undefined {
  let best: string | undefined;
  let smallest = TOLERANCE;
  for (const [label, shortest, longest] of STEPS) {
    const deviation = Math.max(shortest / step - 1, step / longest - 1, 0);
    if (deviation < smallest) [best, smallest] = [label, deviation];
  }
  return best;
}

const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/;
const DURATION_UNITS = [365.25 * DAY, 30.4375 * DAY, 7 * DAY, DAY, HOUR, MINUTE];

/** The label of an ISO 8601 duration such as P1D; undefined for other text. */
export function frequencyOfDuration(text: string): string | undefined {
  const [, ...counts] = DURATION.exec(text) ?? [];
  const step = DURATION_UNITS.reduce((sum, unit, i) => sum + unit * Number(counts[i] ?? 0), 0);
  return step > 0 ? frequencyOf(step) : undefined;
}

/** A length of time in words, such as "5 days". */
export function stepText(step: number): string {
  const [unit, length] = (
    [
      ["days", DAY],
      ["hours", HOUR],
      ["minutes", MINUTE],
    ] as const
  ).find(([, length]) => step >= length) ?? ["seconds", 1000];
  return `${Number((step / length).toPrecision(4))} ${unit}`;
}
