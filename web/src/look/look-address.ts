/** The parameters of a first look in the address. */
import type { RangeChoice } from "./draw/colour-scale.js";
import { COLOURS, type Colours, isColours, isSteps } from "./draw/colour-tables.js";
import type { View } from "./draw/view.js";

export interface LookAddress {
  /** Identifier of the dataset; otherwise the file's path, and the flavour to search it in. */
  readonly id: string | undefined;
  readonly file: string | undefined;
  readonly flavour: string | undefined;
  /** Name of the dataset whose files are shown as one. */
  readonly dataset: string | undefined;
  /** Path of the variable. */
  readonly show: string | undefined;
  readonly colours: Colours;
  /** Number of colours; undefined for all. */
  readonly steps: number | undefined;
  readonly isLog: boolean;
  readonly range: RangeChoice;
  /** Key of a conversion; undefined for the units of the file. */
  readonly units: string | undefined;
  /** Whether the mean over time is shown. */
  readonly isMean: boolean;
  /** The subtrahend: another time by its index, or the mean over time. */
  readonly minus: number | "mean" | undefined;
  /** Path of a file with the same variable that is subtracted. */
  readonly minusFile: string | undefined;
  /** The place of a series: longitude and latitude, or column and row. */
  readonly at: readonly [number, number] | undefined;
}

export const ROBUST: RangeChoice = { by: "percentiles", low: 2, high: 98 };
export const FULL: RangeChoice = { by: "percentiles", low: 0, high: 100 };

/** Ignores what it cannot parse. */
export function readLookAddress(query: URLSearchParams): LookAddress {
  const colours = query.get("colours");
  const at = numbers(query.get("at"), 2);
  return {
    id: query.get("id") ?? undefined,
    file: query.get("look_file") ?? undefined,
    flavour: query.get("flavour") ?? undefined,
    dataset: query.get("look_dataset") ?? undefined,
    show: query.get("show") ?? undefined,
    colours: isColours(colours) ? colours : (COLOURS[0] ?? "cividis"),
    steps: readSteps(query.get("steps")),
    isLog: query.get("scale") === "log",
    range: readRange(query.get("range")),
    units: query.get("units") ?? undefined,
    isMean: query.get("mean") === "time",
    minus: readMinus(query.get("minus")),
    minusFile: query.get("minus_file") ?? undefined,
    at: at && [at[0] ?? 0, at[1] ?? 0],
  };
}

const readSteps = (text: string | null): number | undefined =>
  text !== null && isSteps(Number(text)) ? Number(text) : undefined;

function readMinus(text: string | null): number | "mean" | undefined {
  if (text === "mean") return text;
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** A number that the user writes; NaN if it is none. */
export const numberIn = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text));

const numbers = (text: string | null, count: number): readonly number[] | undefined => {
  const parts = text?.split(",").map(numberIn);
  return parts?.length === count && parts.every(Number.isFinite) ? parts : undefined;
};

function readRange(text: string | null): RangeChoice {
  if (text === "full") return FULL;
  const [low, high] = numbers(text, 2) ?? [];
  return low !== undefined && high !== undefined && low < high ? { by: "hand", low, high } : ROBUST;
}

/** Undefined for the default. */
export function rangeText(range: RangeChoice): string | undefined {
  if (range.by === "hand") return `${range.low},${range.high}`;
  return range.low === FULL.low ? "full" : undefined;
}

export function readView(text: string): View | undefined {
  const view = numbers(text, 3);
  return view && { x: view[0] ?? 0, y: view[1] ?? 0, span: view[2] ?? 0 };
}

/** Enough digits for the same picture. */
export const viewText = ({ x, y, span }: View): string =>
  [x, y, span].map((one) => Number(one.toPrecision(7))).join(",");

/** Sets the given values, and removes those that are undefined. */
export function put(query: URLSearchParams, values: Readonly<Record<string, string | undefined>>) {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
}
