/** The commands `user-data ...`: registering and deleting data of one's own on a service. */
import type { AuthenticateOptions } from "../client/authenticate.js";
import {
  addUserData,
  deleteUserData,
  UserDataError,
  type UserDataRequest,
} from "../client/user-data.js";
import { InvalidParameters } from "../errors.js";
import { inputOf, readDocuments } from "../ingest/read-documents.js";
import { readUserData } from "../userdata/read-user-data.js";
import { totalSize, UnreadableInput } from "./load-files.js";
import { progress } from "./progress.js";

/** Where and as whom. */
export interface ServiceOptions {
  readonly host?: string;
  readonly username?: string;
  readonly refreshToken?: string;
}

export interface AddOptions extends ServiceOptions {
  /** Files with entries. */
  readonly from: readonly string[];
  readonly facet: Readonly<Record<string, string>>;
  readonly dryRun?: boolean;
}

export interface DeleteOptions extends ServiceOptions {
  readonly search: Readonly<Record<string, string>>;
  readonly all?: boolean;
}

/** Entries in one request: few enough for a bar that moves. */
const PORTION = 2000;

type Entry = UserDataRequest["user_metadata"][number];

/** Collects `key=value` of an option that may be given several times. */
export function keyValue(
  text: string,
  before: Readonly<Record<string, string>>,
): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    throw new UserDataError(`${JSON.stringify(text)} is not key=value.`);
  }
  if (Object.hasOwn(before, key)) throw new UserDataError(`${key} is given twice.`);
  return { ...before, [key]: value };
}

/** The entries of a file, checked as the service does; the first that is not right is told with its line. */
async function readEntries(path: string, facets: Readonly<Record<string, string>>) {
  const entries: Entry[] = [];
  const input = inputOf(path);
  const documents = readDocuments(input);
  for (let next = await documents.next(); !next.done; next = await documents.next()) {
    const where = `${input.name}:${next.value.line}`;
    if ("reason" in next.value) throw new UnreadableInput(`${where}: ${next.value.reason}`);
    entries.push(entryOf(next.value.text, where, facets));
  }
  return entries;
}

function entryOf(text: string, where: string, facets: Readonly<Record<string, string>>): Entry {
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch (error) {
    throw new UnreadableInput(`${where}: not JSON: ${(error as Error).message}`);
  }
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    throw new UnreadableInput(`${where}: not a JSON object`);
  }
  const { file, variable, time, time_frequency } = entry as Record<string, unknown>;
  for (const [key, value] of Object.entries({ file, variable, time, time_frequency })) {
    if (typeof value !== "string") throw new UnreadableInput(`${where}: ${key}: must be a string`);
  }
  const complete = entry as Entry;
  try {
    readUserData({ user_metadata: [complete], facets });
  } catch (error) {
    if (!(error instanceof InvalidParameters)) throw error;
    const reasons = error.issues.map(
      ({ name, reason }) => `${name.replace(/^.*?\]\./, "")}: ${reason}`,
    );
    throw new UnreadableInput(`${where}: ${reasons.join("; ")}`);
  }
  return complete;
}

/** Registers what the files list; with `dryRun` only prints it, as JSON Lines. */
export async function addEntries({ from, facet, dryRun, ...options }: AddOptions): Promise<void> {
  await totalSize(from);
  const lists: Entry[][] = [];
  for (const path of from) lists.push(await readEntries(path, facet));
  const entries = lists.flat();
  if (dryRun) {
    for (const entry of entries)
      process.stdout.write(`${JSON.stringify({ ...facet, ...entry })}\n`);
    return;
  }
  const bar = progress("Registering", entries.length);
  const sum = { added: 0, duplicates: 0 };
  for (let at = 0; at < entries.length; at += PORTION) {
    const portion = entries.slice(at, at + PORTION);
    const said = await addUserData({ user_metadata: portion, facets: facet }, service(options));
    sum.added += Number(/^(\d+) have been/.exec(said)?.[1] ?? 0);
    sum.duplicates += Number(/(\d+) files were duplicates/.exec(said)?.[1] ?? 0);
    bar.update(at + portion.length, `${at + portion.length} files`);
  }
  bar.end(`${sum.added} files added, ${sum.duplicates} were registered already`);
}

/** Deletes what is meant, and prints what the service says. */
export async function deleteEntries({ search, all, ...options }: DeleteOptions): Promise<void> {
  if (Object.keys(search).length === 0 && all !== true) {
    throw new UserDataError("Say which data: -s key=value, or --all.");
  }
  if (Object.keys(search).length > 0 && all === true) {
    throw new UserDataError("--all and -s exclude each other.");
  }
  process.stdout.write(`${await deleteUserData(search, service(options))}\n`);
}

const service = ({ host, username, refreshToken }: ServiceOptions): AuthenticateOptions => ({
  host,
  username,
  refreshToken,
});
