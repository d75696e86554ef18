import { byteText, shortNumber, wholeNumber } from "../service/numbers.js";
import type { Coverage } from "./matrix.js";

type Cells = Coverage["cells"];

/** Larger numbers are abbreviated. */
const MAX_WHOLE = 99_999;

const years = (value: number): string =>
  wholeNumber(value >= 10 ? Math.round(value) : Math.round(value * 10) / 10);

export function cellText(cells: Cells, value: number): string {
  if (cells === "bytes") return byteText(value);
  if (cells === "years") return years(value);
  return value > MAX_WHOLE ? shortNumber(value) : wholeNumber(value);
}

export const cellWords = (cells: Cells, value: number): string =>
  `${wholeNumber(value)} ${value === 1 ? cells.slice(0, -1) : cells}`;
