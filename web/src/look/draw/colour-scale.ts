/** Values -> colours: the range of a colour table, and the colour of each value. */
import { percentileOf } from "../data/percentiles.js";
import type { Field } from "../data/types.js";
import { type Colours, isDiverging } from "./colour-tables.js";

/** Colours in a table. */
const COLOUR_COUNT = 256;

/** Values of the first and last colour. */
export interface Range {
  readonly low: number;
  readonly high: number;
  /** Whether colours follow the logarithm; both ends are then above 0. */
  readonly isLog?: boolean;
}

/** How the range is chosen: percentiles of the drawn values, or given by the user. */
export interface RangeChoice {
  readonly by: "percentiles" | "hand";
  readonly low: number;
  readonly high: number;
}

/** The ends of a range. @param sorted the values that it is chosen from */
const endsOf = ({ by, low, high }: RangeChoice, sorted: Float32Array): [number, number] =>
  by === "hand" ? [low, high] : [percentileOf(sorted, low), percentileOf(sorted, high)];

/**
 * The range of a picture on a logarithmic scale: percentiles of the values above 0.
 *
 * @returns undefined if there are none, or a given minimum is not above 0
 */
export function logRangeOf(
  choice: RangeChoice,
  { sorted }: Pick<Field, "sorted">,
): Range | undefined {
  const first = sorted.findIndex((value) => value > 0);
  const [low, high] = endsOf(choice, sorted.subarray(first < 0 ? sorted.length : first));
  return low > 0 && high >= low ? { low, high, isLog: true } : undefined;
}

/**
 * The range of a picture. Diverging tables are centred at 0 if the values have both signs, unless the user gives the
 * range.
 *
 * @returns undefined if all values are missing
 */
export function rangeOf(
  choice: RangeChoice,
  { sorted }: Pick<Field, "sorted">,
  colours: Colours,
): Range | undefined {
  const [low, high] = endsOf(choice, sorted);
  if (choice.by === "hand") return { low, high };
  if (!Number.isFinite(low) || !Number.isFinite(high)) return undefined;
  if (!isDiverging(colours) || low >= 0 || high <= 0) return { low, high };
  const far = Math.max(-low, high);
  return { low: -far, high: far };
}

/** The logarithm as numpy takes it of float32. */
const log = (value: number): number => Math.fround(Math.log10(value));

/**
 * The colour of a value, rounded as matplotlib's Normalize, LogNorm (with `clip`) and Colormap round float32. Values
 * outside get the outermost colour; if the range is a single value, all get the first.
 *
 * @param value not NaN
 * @param count colours
 */
export function colourIndex(
  value: number,
  { low, high, isLog = false }: Range,
  count = COLOUR_COUNT,
): number {
  if (high === low) return 0;
  const share = isLog
    ? Math.fround(
        Math.fround(log(Math.min(Math.max(value, low), high)) - Math.log10(low)) /
          (Math.log10(high) - Math.log10(low)),
      )
    : Math.fround(Math.fround(value - low) / (high - low));
  const index = Math.floor(share * count);
  return Math.min(Math.max(index, 0), count - 1);
}

/** The position of a value in a range: 0 at its low end, 1 at its high end. */
export function shareOf(value: number, { low, high, isLog = false }: Range): number {
  if (!(high > low)) return 0.5;
  return isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

/** Round numbers on a logarithmic scale: powers of ten, with 2 and 5 if these are few. */
function logTicks({ low, high }: Range): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const every = Math.max(1, Math.ceil((last - first) / 8));
  const parts = last - first <= 2 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = first; power <= last; power += every) {
    ticks.push(...parts.map((part) => Number(`${part}e${power}`)));
  }
  return ticks.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
}

/** About five round numbers within a range, ascending. */
export function ticksOf(range: Range, about = 5): number[] {
  const { low, high } = range;
  if (!(high > low)) return [low];
  if (range.isLog) return logTicks(range);
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 5, 10].map((n) => n * power).find((one) => one >= rough * 0.999) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** A number with the given significant digits, and an exponent only if needed. */
export function numberText(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return "no value";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text =
    size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  const [mantissa = "", exponent] = text.split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return (exponent === undefined ? short : `${short}e${exponent.replace("+", "")}`).replaceAll(
    "-",
    "−",
  );
}
