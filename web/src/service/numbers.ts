/** Numbers for people. */

const WHOLE = new Intl.NumberFormat("en");
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const BYTES = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];

/** For example 1,234,567. */
export const wholeNumber = (value: number): string => WHOLE.format(value);

/** For example "1 file" or "1,234 files". */
export const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${wholeNumber(count)} ${many}`;

export const filesText = (count: number): string => counted(count, "file", "files");

/** For example 12.3k, 1.23M or 1.23G: the prefixes of the SI, which English has as K, M and B. */
export const shortNumber = (value: number): string =>
  SHORT.format(value).replace("K", "k").replace("B", "G");

/** For example 1.23 GB, in powers of 1000. */
export function byteText(bytes: number): string {
  const power =
    bytes < 1 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log10(bytes) / 3 + 1e-9));
  const value = bytes / 1000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${BYTES[power]}`;
}
