/** The colour tables offered, whole, reversed, or in steps. */
import { COLOUR_BYTES, REVERSED_BYTES } from "./colour-bytes.js";

export type Table = keyof typeof COLOUR_BYTES;

/** matplotlib's names; `_r` is reversed. */
export type Colours = Table | `${Table}_r`;

/** In the order offered; the first is the default. */
export const TABLES = Object.keys(COLOUR_BYTES) as readonly Table[];

export const COLOURS: readonly Colours[] = TABLES.flatMap((one) => [one, `${one}_r`] as const);

/** Tables with a middle colour, for differences. */
const DIVERGING: readonly string[] = ["RdBu", "BrBG", "coolwarm"];

export const tableOf = (colours: Colours): Table => colours.replace(/_r$/, "") as Table;

export const isReversed = (colours: Colours): boolean => colours.endsWith("_r");

/** Whether the middle of the table belongs at 0. */
export const isDiverging = (colours: Colours): boolean => DIVERGING.includes(tableOf(colours));

export const isColours = (text: string | null): text is Colours =>
  text !== null && (COLOURS as readonly string[]).includes(text);

/** Numbers of steps offered. */
export const STEPS = [5, 7, 9, 11, 15, 21] as const;
const MAX_STEPS = 64;

export const isSteps = (count: number): boolean =>
  Number.isInteger(count) && count >= 2 && count <= MAX_STEPS;

const made = new Map<string, Uint8Array>();

/**
 * @param steps number of colours; all 256 by default
 * @returns red, green and blue of each colour; the same object each time
 */
export function colourTable(colours: Colours, steps?: number): Uint8Array {
  const key = `${colours} ${steps ?? ""}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const table = steps === undefined ? wholeTable(colours) : stepped(colourTable(colours), steps);
  made.set(key, table);
  return table;
}

function wholeTable(colours: Colours): Uint8Array {
  const name = tableOf(colours);
  const table = Uint8Array.from(atob(COLOUR_BYTES[name]), (byte) => byte.charCodeAt(0));
  if (!isReversed(colours)) return table;
  const turned = table.map((_, i) => table[table.length - 3 - (i - (i % 3)) + (i % 3)] ?? 0);
  for (const [place, byte] of REVERSED_BYTES[name] ?? []) turned[place] = byte;
  return turned;
}

/** Evenly spaced colours of a table, as matplotlib takes them for `numpy.linspace(0, 1, steps)`. */
function stepped(table: Uint8Array, steps: number): Uint8Array {
  const count = table.length / 3;
  const colours = Array.from({ length: steps }, (_, i) => {
    const at = Math.min(Math.floor((i / (steps - 1)) * count), count - 1);
    return [...table.subarray(3 * at, 3 * at + 3)];
  });
  return Uint8Array.from(colours.flat());
}
