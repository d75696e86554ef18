/** Values -> colours: the range of a colour table, and the colour of each value. */
import { type Colours, isDiverging } from "./colour-tables.js";

/** Colours in a table. */
export const COLOUR_COUNT = 256;

/** Values of the first and last colour. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** How the range is chosen: percentiles of the drawn values, or given by the user. */
export type RangeChoice =
  | { readonly by: "percentiles"; readonly low: number; readonly high: number }
  | ({ readonly by: "hand" } & Range);

interface Distribution {
  percentiles(p: readonly number[]): readonly number[];
}

/**
 * The range of a picture. Diverging tables are centred at 0 if the values have both signs, unless the user gives the
 * range.
 *
 * @returns undefined if all values are missing
 */
export function rangeOf(
  choice: RangeChoice,
  values: Distribution,
  colours: Colours,
): Range | undefined {
  if (choice.by === "hand") return { low: choice.low, high: choice.high };
  const [low = Number.NaN, high = Number.NaN] = values.percentiles([choice.low, choice.high]);
  if (!Number.isFinite(low) || !Number.isFinite(high)) return undefined;
  if (!isDiverging(colours) || low >= 0 || high <= 0) return { low, high };
  const far = Math.max(-low, high);
  return { low: -far, high: far };
}

/**
 * The colour of a value, rounded as matplotlib's Normalize and Colormap round float32. Values outside get the outermost
 * colour; if the range is a single value, all get the first.
 *
 * @param value not NaN
 */
export function colourIndex(value: number, { low, high }: Range): number {
  if (high === low) return 0;
  const share = Math.fround(Math.fround(value - low) / (high - low));
  const index = Math.floor(share * COLOUR_COUNT);
  return Math.min(Math.max(index, 0), COLOUR_COUNT - 1);
}

/** About five round numbers within a range, ascending. */
export function ticksOf({ low, high }: Range, about = 5): number[] {
  if (!(high > low)) return [low];
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
