import { byteText, shortNumber, wholeNumber } from "../service/numbers.js";
import type { Coverage } from "./matrix.js";

type Cells = Coverage["cells"];

/** Numbers up to which a cell has room for all digits. */
const MAX_WHOLE = 99_999;

const years = (value: number): string =>
  wholeNumber(value >= 10 ? Math.round(value) : Math.round(value * 10) / 10);

/** As short as a cell is wide. */
export function cellText(cells: Cells, value: number): string {
  if (cells === "bytes") return byteText(value);
  if (cells === "years") return years(value);
  return value > MAX_WHOLE ? shortNumber(value) : wholeNumber(value);
}

/** As exact as it was told, with what is counted. */
export const cellWords = (cells: Cells, value: number): string =>
  `${wholeNumber(value)} ${value === 1 ? cells.slice(0, -1) : cells}`;
