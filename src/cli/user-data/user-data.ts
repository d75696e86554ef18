/** The commands `user-data ...`: register and delete your own data on a service. */
import { FileSystem } from "../../catalogue/crawl/tree/file-system.js";
import { Datasets } from "../../files/zarr/dataset/datasets.js";
import { type CredentialOptions, credentialsOf } from "../accounts/credentials.js";
import { accessToken, type Credentials } from "../client/authenticate.js";
import { addUserData, deleteUserData, UserDataError } from "../client/user-data.js";
import { totalSize, UnreadableInput } from "../index/load-files.js";
import { count, number } from "../terminal/plurals.js";
import { printLine } from "../terminal/print-line.js";
import { inOneLine, progress } from "../terminal/progress.js";
import { type DataPaths, findDatasets } from "./data-files.js";
import { problemOf, readEntries } from "./entry-files.js";
import { readFileEntries, type UserEntry } from "./file-entries.js";

export interface AddOptions extends CredentialOptions {
  /** Files that list entries. */
  readonly from?: readonly string[];
  readonly facet?: Readonly<Record<string, string>>;
  readonly dryRun?: boolean;
  readonly checksum?: boolean;
}

export interface DeleteOptions extends CredentialOptions {
  readonly search?: Readonly<Record<string, string>>;
  readonly all?: boolean;
}

/** Entries in one request: few enough for a progress bar that moves. */
const BATCH = 2000;

interface Target {
  take(entry: UserEntry): Promise<void> | void;
  /** Gives the number of entries that the service refused. */
  end(): Promise<number> | number;
}

/**
 * Registers listed entries (`from`) and data by its headers (`paths`); with `dryRun` only prints them as JSON Lines.
 * Works in batches, so memory does not grow with the data.
 *
 * @param paths data files, zarr stores, and folders of them
 * @throws UnreadableInput before anything is registered, if a list or a path is wrong;
 * UserDataError at the end, if data was left out
 */
export async function addEntries(paths: readonly string[], options: AddOptions): Promise<void> {
  const { from = [], facet = {}, dryRun } = options;
  if (paths.length === 0 && from.length === 0) {
    throw new UserDataError("Name files or folders of data to register, or add --from FILE.");
  }
  checkFacets(facet);
  await totalSize(from);
  const listed = await readEntries(from, facet);
  const found = await findAll(paths);
  const total = listed.length + found.paths.length;
  const target = dryRun ? printing(facet) : registering(total, facet, await signedIn(options));
  for (const entry of listed) await target.take(entry);
  const left = (await readAll(found, options, target)) + (await target.end());
  if (left > 0) {
    const all = total + found.unreadable.length;
    throw new UserDataError(`${left} of ${all} left out, for the reasons above.`);
  }
}

/** @throws UserDataError for a facet that the service would refuse in every request */
function checkFacets(facet: Readonly<Record<string, string>>): void {
  const { variable = "x", time = "2000", time_frequency = "x" } = facet;
  const entry: UserEntry = { file: "/", variable: [variable], time, time_frequency };
  const problem = problemOf(entry, facet);
  if (problem !== undefined) throw new UserDataError(`--facet ${problem}`);
}

/** @throws UnreadableInput if a path does not exist or holds no data */
async function findAll(paths: readonly string[]): Promise<DataPaths> {
  const files = new Set<string>();
  const unreadable: DataPaths["unreadable"][number][] = [];
  for (const path of paths) {
    const found = await findDatasets(path).catch((error: unknown) => {
      throw UnreadableInput.at(path, error);
    });
    if (found.paths.length + found.unreadable.length === 0) {
      throw new UnreadableInput(`${path} has no NetCDF or HDF5 files and no zarr stores in it.`);
    }
    for (const one of found.paths) files.add(one);
    unreadable.push(...found.unreadable);
  }
  return { paths: [...files], unreadable };
}

/**
 * Reads the headers of all files and forwards the entries to the target. Reports left-out files and contradictions.
 *
 * @returns the number of files left out
 */
async function readAll(
  found: DataPaths,
  { facet = {}, dryRun, checksum }: AddOptions,
  target: Target,
): Promise<number> {
  const { paths, unreadable } = found;
  if (paths.length + unreadable.length === 0) return 0;
  const bar = progress("Reading", paths.length);
  // On a terminal printed entries and a progress bar would share lines.
  const showsBar = !(dryRun && process.stdout.isTTY === true);
  let left = 0;
  /** Number of files for each note. The files of a data set mostly share notes, so each is reported once. */
  const noted = new Map<string, number>();
  const leaveOut = (path: string, reason: string): void => {
    left += 1;
    bar.note(`${path}: ${inOneLine(reason)}`);
  };
  for (const { path, reason } of unreadable) leaveOut(path, reason);
  const fileSystem = new FileSystem();
  const datasets = new Datasets({ metadataBytes: METADATA_BYTES, time: READING_MS });
  try {
    let done = 0;
    const more = { checksum: checksum === true && fileSystem, fileSystem };
    for await (const read of readFileEntries(datasets, paths, facet, more)) {
      const problem = "entry" in read ? problemOf(read.entry, facet) : read.reason;
      if (problem !== undefined) leaveOut(read.path, problem);
      else if ("entry" in read) {
        for (const note of read.notes) {
          const before = noted.get(note) ?? 0;
          if (before === 0) bar.note(`${read.path}: note: ${inOneLine(note)}`);
          if (noted.size < MAX_NOTES || before > 0) noted.set(note, before + 1);
        }
        await target.take(read.entry);
      }
      done += 1;
      if (showsBar) bar.update(done, `${done} of ${paths.length} files`);
    }
  } finally {
    await datasets.close();
    await fileSystem.close();
  }
  for (const [note, files] of noted) {
    if (files > 1) bar.note(`${inOneLine(note)} (${files} files)`);
  }
  const files = count(paths.length, "file");
  if (showsBar) bar.end(left > 0 ? `${files}, ${left} left out` : files);
  return left;
}

/** Notes that are counted. */
const MAX_NOTES = 1000;
/** Small, because no file is read twice. */
const METADATA_BYTES = 8 << 20;
/** Long, because an archive may have to fetch a file from tape. */
const READING_MS = 600_000;

const printing = (facet: Readonly<Record<string, string>>): Target => ({
  take: (entry) => printLine(JSON.stringify({ ...facet, ...entry })),
  end: () => 0,
});

/** Sends entries in batches. */
function registering(
  total: number,
  facets: Readonly<Record<string, string>>,
  options: Credentials,
): Target {
  const bar = progress("Registering", total);
  const sum = { sent: 0, added: 0, duplicates: 0, refused: 0 };
  let batch: UserEntry[] = [];
  /** The service registers all entries of a request or none. */
  const add = (): Promise<string> =>
    addUserData({ user_metadata: batch, facets }, options).catch((error: unknown) => {
      const wrong = refusedEntries(error);
      for (const [index, reason] of wrong) bar.note(`${batch[index]?.file}: ${inOneLine(reason)}`);
      batch = batch.filter((_, index) => !wrong.has(index));
      sum.refused += wrong.size;
      sum.sent += wrong.size;
      return batch.length > 0 ? add() : "";
    });
  const send = async (): Promise<void> => {
    const message = await add();
    sum.added += Number(/^(\d+) have been/.exec(message)?.[1] ?? 0);
    sum.duplicates += Number(
      /\. (\d{1,15}) files? (?:was a duplicate|were duplicates)/.exec(message)?.[1] ?? 0,
    );
    sum.sent += batch.length;
    batch = [];
    bar.update(sum.sent, count(sum.sent, "file"));
  };
  return {
    async take(entry) {
      batch.push(entry);
      if (batch.length >= BATCH) await send();
    },
    async end() {
      if (batch.length > 0) await send();
      bar.end(`${count(sum.added, "file")} added, ${number(sum.duplicates)} registered already`);
      return sum.refused;
    },
  };
}

/** The entries of a request that the service refuses, with the reasons. @throws any error that is not about entries */
function refusedEntries(error: unknown): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const { name, reason } of error instanceof UserDataError ? error.issues : []) {
    const [, index, field] = /^user_metadata\[(\d+)\]\.?(.*)$/.exec(name) ?? [];
    if (index === undefined) throw error;
    const before = found.get(Number(index));
    const text = field === "" ? reason : `${field}: ${reason}`;
    found.set(Number(index), before === undefined ? text : `${before}; ${text}`);
  }
  if (found.size === 0) throw error;
  return found;
}

/** Deletes the selected entries, and prints the answer of the service. @throws UserDataError also if nothing matched */
export async function deleteEntries({
  search = {},
  all,
  ...options
}: DeleteOptions): Promise<void> {
  if (Object.keys(search).length === 0 && all !== true) {
    throw new UserDataError("Select entries by -s key=value, or add --all.");
  }
  if (Object.keys(search).length > 0 && all === true) {
    throw new UserDataError("--all and -s exclude each other.");
  }
  const answer = await deleteUserData(search, await credentialsOf(options));
  if (/ 0 documents /.test(answer)) {
    throw new UserDataError("Nothing matched: no entry of yours was deleted.");
  }
  process.stdout.write(`${answer}\n`);
}

/** Signs in at once, before files are read for a long time. */
async function signedIn(options: CredentialOptions): Promise<Credentials> {
  const credentials = await credentialsOf(options);
  await accessToken(credentials);
  return credentials;
}
