/**
 * Which of two versions of a dataset is newer.
 *
 * Source: search-semantics, "Versions"; the DRS documents of CMIP5 (`v#`, dates) and CMIP6 (`vYYYYMMDD`).
 */

const MAX_RANK = 500;

/** A dated version; the group is the date. */
export const DATED = /^v?(\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))$/i;
/** A numbered version; the group is the number. */
export const NUMBERED = /^v?(\d{1,15})$/i;

/**
 * A text that is greater for newer versions: numbered ones are older than dated ones, and other texts older than both. Numbers in
 * texts compare as numbers. It contains neither `@` nor control characters.
 */
export function versionRank(version: string): string {
  const date = DATED.exec(version)?.[1];
  if (date !== undefined) return `2${date}`;
  const number = NUMBERED.exec(version)?.[1];
  if (number !== undefined) return `1${padded(number)}`;
  const text = version
    .slice(0, MAX_RANK)
    .toLowerCase()
    .replaceAll(/[@\p{Cc}]/gu, " ");
  return `0${text.replaceAll(/\d{1,15}/g, padded)}`;
}

const padded = (digits: string): string => digits.padStart(15, "0");

/** Sorts versions, the newest first. */
export function newestFirst(a: string, b: string): number {
  const [one, other] = [versionRank(a), versionRank(b)];
  return one === other ? 0 : one > other ? -1 : 1;
}
