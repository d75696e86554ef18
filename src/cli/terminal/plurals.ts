/** Formats numbers for people. */

export const number = (of: number): string => of.toLocaleString("en");

/** @param noun in the singular */
export const count = (of: number, noun: string): string =>
  `${number(of)} ${noun}${of === 1 ? "" : "s"}`;

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

/** Bytes, in powers of 1000. */
export function size(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const scaled = bytes / 1000 ** power;
  return `${power === 0 ? scaled : scaled.toFixed(1)} ${UNITS[power]}`;
}
