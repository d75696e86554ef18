/** Makes the entries of data files from their headers and paths. */
import { stat } from "node:fs/promises";
import { checksumOf } from "../../catalogue/crawl/describe/checksum.js";
import { timeOfChange } from "../../catalogue/crawl/describe/describe-file.js";
import {
  type Fields,
  fileFacts,
  type OpenedHeader,
  openHeader,
} from "../../catalogue/crawl/describe/file-facts.js";
import type { FileSystem } from "../../catalogue/crawl/tree/file-system.js";
import { ReadingError } from "../../files/netcdf/errors.js";
import type { Datasets } from "../../files/zarr/dataset/datasets.js";
import type { UserDataRequest } from "../client/user-data.js";

export type UserEntry = UserDataRequest["user_metadata"][number] &
  Readonly<Record<string, unknown>>;

/** An entry with notes on contradictions, or the reason why there is none. */
type FileEntry =
  | { readonly path: string; readonly entry: UserEntry; readonly notes: readonly string[] }
  | { readonly path: string; readonly reason: string };

/** Required facets. Given ones are used only for files whose header lacks them, as files seldom share them. */
export const STAND_INS = ["variable", "time", "time_frequency"] as const;

const isStandIn = (facet: string): boolean => (STAND_INS as readonly string[]).includes(facet);

interface MoreToRead {
  /** Reads the whole file for its checksum. */
  readonly checksum?: FileSystem | false;
  /** Measures the size of stores, which consist of many files. */
  readonly fileSystem?: FileSystem;
}

type Given = Readonly<Record<string, string>>;

/**
 * Reads the header and the coordinates of a data set.
 *
 * @param path absolute
 * @param facets those of STAND_INS only fill in what the header lacks; all others override the header
 */
export async function readFileEntry(
  datasets: Datasets,
  path: string,
  facets: Given,
  more: MoreToRead = {},
): Promise<FileEntry> {
  try {
    const opened = await openHeader(datasets, path);
    const held = Object.entries(facets).filter(([facet]) => !isStandIn(facet));
    const { fields, notes } = fileFacts(path, undefined, opened, Object.fromEntries(held));
    const missing = STAND_INS.filter((facet) => fields[facet] === undefined);
    const lacking = missing.filter((facet) => facets[facet] === undefined);
    if (lacking.length > 0) return { path, reason: whyNot(opened, lacking) };
    // Facets of all files are sent once with the request.
    const others = Object.entries(fields).filter(
      ([facet]) => !isStandIn(facet) && !Object.hasOwn(facets, facet),
    );
    const kind = opened.format.startsWith("zarr") ? "zarr" : "file";
    const entry = {
      file: path,
      ...picked(fields, STAND_INS),
      ...picked(facets, missing),
      ...Object.fromEntries(others),
      ...(kind === "zarr" && { format: "zarr" }),
      ...(await ofFileSystem(path, kind, more.fileSystem)),
    };
    const all = [...notes];
    if (more.checksum) {
      const checksum = await checksumOf(
        { path, kind, size: Number(entry.size ?? 0) },
        more.checksum,
      );
      if ("value" in checksum) Object.assign(entry, { checksum: checksum.value });
      else all.push(checksum.reason);
    }
    return { path, entry: listed(entry), notes: all };
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    return { path, reason: error.message };
  }
}

const picked = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = fields[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

/** The contract wants variables as a list. */
function listed(entry: Readonly<Record<string, unknown>>): UserEntry {
  return { ...entry, variable: [entry.variable].flat() } as UserEntry;
}

/** Why facets are unknown: each reason once, with the --facet options that would help. */
function whyNot(
  { description }: OpenedHeader,
  lacking: readonly (typeof STAND_INS)[number][],
): string {
  const instead = new Map<string, string[]>();
  for (const facet of lacking) {
    const of = description[facet];
    const reason = "reason" in of ? of.reason : "does not tell it";
    instead.set(reason, [...(instead.get(reason) ?? []), `--facet ${facet}=...`]);
  }
  return [...instead].map(([why, facets]) => `${why}; say ${facets.join(" ")}`).join("; ");
}

/** Size and modification time, as far as the file system knows them. */
async function ofFileSystem(
  path: string,
  kind: "file" | "zarr",
  fileSystem: FileSystem | undefined,
): Promise<{ readonly size?: number; readonly modified?: string }> {
  if (kind === "zarr") {
    const found = await fileSystem?.measure(path).catch(() => undefined);
    if (found === undefined) return {};
    return { size: found.size, ...timeOfChange(found.modified) };
  }
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? {} : { size: found.size, ...timeOfChange(found.mtimeMs) };
}

/** Files read at the same time. */
const MAX_AT_ONCE = 4;

/** The entries of files in order; a few files are read ahead. */
export async function* readFileEntries(
  datasets: Datasets,
  paths: readonly string[],
  facets: Given,
  more: MoreToRead = {},
): AsyncGenerator<FileEntry, void, undefined> {
  const ahead: Promise<FileEntry>[] = [];
  const next = (at: number): void => {
    const path = paths[at];
    if (path === undefined) return;
    const reading = readFileEntry(datasets, path, facets, more);
    // It is awaited later; until then a failure would count as an unhandled rejection.
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
