/** Files of data -> the entries under which they are registered, by what their headers say. */
import { describe } from "../cf/describe.js";
import type { Told } from "../cf/header.js";
import type { UserDataRequest } from "../client/user-data.js";
import { ReadingError } from "../netcdf/errors.js";
import { coordinateValues } from "../zarr/coordinate-values.js";
import type { Datasets } from "../zarr/datasets.js";

export type Entry = UserDataRequest["user_metadata"][number] & {
  readonly bbox?: string;
  readonly format?: string;
};

/** An entry, or why there is none. */
export type FileEntry =
  | { readonly path: string; readonly entry: Entry }
  | { readonly path: string; readonly reason: string };

/** Facets that an entry must have, and that stand in where a header does not tell. */
export const STAND_INS = ["variable", "time", "time_frequency"] as const;

type StandIn = (typeof STAND_INS)[number];

/**
 * Reads the header and the coordinates of a data set.
 *
 * @param path absolute
 * @param facets stand in where the header does not tell a variable, a time or a frequency
 */
export async function readFileEntry(
  datasets: Datasets,
  path: string,
  facets: Readonly<Record<string, string>>,
): Promise<FileEntry> {
  try {
    const dataset = await datasets.open(path);
    const told = await describe(await dataset.header(), coordinateValues(datasets, dataset));
    /** Why something is not told -> the facets that would tell it. */
    const lacking = new Map<string, string[]>();
    const valueFor = <T>(facet: StandIn, of: Told<T>): T | string => {
      if ("value" in of) return of.value;
      const given = facets[facet];
      if (given === undefined) {
        lacking.set(of.reason, [...(lacking.get(of.reason) ?? []), `--facet ${facet}=...`]);
      }
      return given ?? "";
    };
    const entry: Entry = {
      file: path,
      variable: [valueFor("variable", told.variable)].flat(),
      time: valueFor("time", told.time),
      time_frequency: valueFor("time_frequency", told.time_frequency),
      ...(told.bbox !== undefined && { bbox: told.bbox }),
      ...(dataset.format.startsWith("zarr") && { format: "zarr" }),
    };
    if (lacking.size === 0) return { path, entry };
    const reasons = [...lacking].map(([why, instead]) => `${why}; say ${instead.join(" ")}`);
    return { path, reason: reasons.join("; ") };
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    return { path, reason: error.message };
  }
}

/** Files that are read at the same time. */
const MAX_AT_ONCE = 4;

/** The entries of files, in their order, a few of them read ahead. */
export async function* readFileEntries(
  datasets: Datasets,
  paths: readonly string[],
  facets: Readonly<Record<string, string>>,
): AsyncGenerator<FileEntry, void, undefined> {
  const ahead: Promise<FileEntry>[] = [];
  const next = (at: number): void => {
    const path = paths[at];
    if (path === undefined) return;
    const reading = readFileEntry(datasets, path, facets);
    // It is awaited in its turn; until then nobody else hears of a failure.
    reading.catch(() => {});
    ahead.push(reading);
  };
  for (let at = 0; at < MAX_AT_ONCE; at++) next(at);
  for (let at = MAX_AT_ONCE; ; at++) {
    const reading = ahead.shift();
    if (reading === undefined) return;
    yield await reading;
    next(at);
  }
}
