/** Numbers as people read them. */

const WHOLE = new Intl.NumberFormat("en");
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const BYTES = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];

/** 1,234,567 */
export const wholeNumber = (value: number): string => WHOLE.format(value);

/** How many, and of what: 1 file, 1,234 files. */
export const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${wholeNumber(count)} ${many}`;

export const filesText = (count: number): string => counted(count, "file", "files");

/** 1.23M */
export const shortNumber = (value: number): string => SHORT.format(value);

/** Powers of 1000, as storage is sold: 1.23 GB. */
export function byteText(bytes: number): string {
  const power =
    bytes < 1 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log10(bytes) / 3 + 1e-9));
  const value = bytes / 1000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${BYTES[power]}`;
}
