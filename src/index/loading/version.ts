/**
 * Decides which of two documents is the newer version of the same file of a data set.
 *
 * Source: the DRS documents of CMIP5 and CMIP6 (version folder vYYYYMMDD). The schema's `drs_key` is the same rule,
 * written for Solr.
 */

const FOLDER = /\/v(\d{8})(?=\/)/g;

/** The date in the version folder of a path, such as 20190710; undefined if there is none. */
export const folderVersion = (file: string): string | undefined =>
  [...file.matchAll(FOLDER)].at(-1)?.[1];

/** `file` without its version folder: equal for all versions of one file. */
export const drsKey = (file: string): string => file.replace(FOLDER, "");

/** The rank of a document among the versions of one file. The newest has the highest. */
export type Rank = readonly [field: number, folder: number];

/**
 * @param version the document's `version`, such as v20190710 or v2
 * @param file its path; the version folder counts if the field has no version
 */
export function rank(version: unknown, file: string): Rank {
  const folder = Number(folderVersion(file) ?? 0);
  const field = /\d+/.exec(String(version ?? ""))?.[0];
  return [field === undefined ? folder : Number(field), folder];
}

/** Negative if a is older, zero if neither is. */
export const compareRanks = (a: Rank, b: Rank): number => a[0] - b[0] || a[1] - b[1];
