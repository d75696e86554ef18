/**
 * Lets users read the files that they may read on this machine, and no others.
 *
 * The service itself may read more than its users, so this decision is the only guard. Facts of accounts and files are
 * at most twice TTL old, plus the time to read them: a withdrawn right is gone within a minute. A change of the file
 * itself takes effect at once.
 */
import { dirname } from "node:path";
import type { Owner } from "../../domain/user-data/owner.js";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { NotYours } from "../errors.js";
import { FileChanged } from "../netcdf/errors.js";
import { PASS, READ } from "./acl.js";
import { type Account, permits, reaches, reads, UNKNOWN_ACCOUNT } from "./decide.js";
import { Accounts, type Directory, machineDirectory } from "./file-user.js";
import type { Stamp, Tools, Way } from "./path-nodes.js";
import { Ways } from "./path-walk.js";

/** Milliseconds. */
const TTL = 20_000;
const MAX_AT_ONCE = 64;

interface FileRightsOptions {
  readonly tools: Tools;
  /** Whether lists leave out what the caller may not read. */
  readonly hides?: boolean;
  readonly directory?: Directory;
  /** Milliseconds of the caches, two of which follow each other. */
  readonly ttl?: number;
}

/** A user on whose behalf data are read. */
export interface Reader extends Owner {
  /** Whether another user reads data that this one shared. */
  readonly isSharer?: boolean;
}

export class FileRights {
  readonly hides: boolean;
  readonly #ways: Ways;
  readonly #accounts: Accounts;

  constructor({
    tools,
    hides = false,
    directory = machineDirectory,
    ttl = TTL,
  }: FileRightsOptions) {
    this.hides = hides;
    this.#ways = new Ways(tools, ttl);
    this.#accounts = new Accounts(directory, ttl);
  }

  /**
   * Checks that a user may read an opened file, or pass through or list an opened folder.
   *
   * @param path by which it was opened; absolute, without `.` and `..`
   * @param opened undefined if nothing was there: users who can reach the folder may know that
   * @throws NotYours if they may not; FileChanged if the path leads to another file than the opened one;
   * DataUnavailable
   */
  async require(
    reader: Reader,
    path: string,
    opened: Stamp | undefined,
    wanted: "read" | "pass" | "list",
  ): Promise<void> {
    const who = await this.#accounts.whoIs(reader.isAnonymous ? undefined : reader);
    const way = await this.#wayTo(path, opened, wanted === "read");
    const bits = { read: READ, pass: PASS, list: READ | PASS }[wanted];
    const isOpen = reaches(way, who) && (way.end === undefined || permits(way.end, who, bits));
    if (!isOpen) throw new NotYours(sentence(reader, who));
  }

  /** @param isFile whether it must be unchanged: a folder changes with each new file */
  async #wayTo(path: string, opened: Stamp | undefined, isFile: boolean): Promise<Way> {
    const isIt = ({ end }: Way): boolean =>
      end?.id === opened?.id && (!isFile || end?.changed === opened?.changed);
    const known = await this.#ways.of(path);
    if (isIt(known)) return known;
    const way = await this.#ways.again(path, known);
    if (isIt(way)) return way;
    throw new FileChanged("The file was replaced while its rights were checked.");
  }

  /**
   * Which files of a list a user may see: those that they may read, and those missing on this machine, if they may know
   * that.
   *
   * @param reader undefined for an anonymous user
   * @param paths absolute, without `.` and `..`; undefined for data elsewhere
   */
  async visible(
    reader: Owner | undefined,
    paths: readonly (string | undefined)[],
  ): Promise<readonly boolean[]> {
    const who = await this.#accounts.whoIs(reader);
    const allowed = paths.map((path) => path === undefined);
    const folders = [...new Set(paths.flatMap((path) => (path ? [dirname(path)] : [])))];
    const found = await this.#waysTo(folders);
    const ways = new Map(folders.map((folder, index) => [folder, found[index]] as const));
    const inside: number[] = [];
    for (const [index, path] of paths.entries()) {
      const way = path === undefined ? undefined : ways.get(dirname(path));
      if (way === undefined || !reaches(way, who)) continue;
      if (way.end === undefined) allowed[index] = true;
      else if (permits(way.end, who, PASS)) inside.push(index);
    }
    const entries = await this.#ways.entries(inside.map((index) => paths[index] ?? ""));
    const links: number[] = [];
    for (const [place, entry] of entries.entries()) {
      const index = inside[place] ?? -1;
      if (entry === "link") links.push(index);
      else allowed[index] = entry === "absent" || permits(entry, who, READ);
    }
    const linked = await this.#waysTo(links.map((index) => paths[index] ?? ""));
    for (const [place, way] of linked.entries()) {
      allowed[links[place] ?? -1] = way.end === undefined ? reaches(way, who) : reads(way, who);
    }
    return allowed;
  }

  async #waysTo(paths: readonly string[]): Promise<Way[]> {
    const ways: Way[] = [];
    for (const some of batchesOf(paths, MAX_AT_ONCE)) {
      ways.push(...(await Promise.all(some.map((path) => this.#ways.of(path)))));
    }
    return ways;
  }
}

/** The missing right, without names of folders that the user may not see. */
function sentence({ user, isLocal, isSharer, isAnonymous }: Reader, who: Account): string {
  if (isAnonymous) return "On the disk these data may not be read by everybody: sign in.";
  if (isSharer) return "The user who shared these data may not read them on the disk any more.";
  if (who !== UNKNOWN_ACCOUNT) {
    const id = who.uid === undefined ? "the groups of your token" : `user id ${who.uid}`;
    return `On the disk your account (${id}) may not read these data: ask whom they belong to for the right.`;
  }
  const reason = isLocal
    ? `your account ${JSON.stringify(user)} is not that of a person on this machine`
    : "your token names no account of this machine";
  return `On the disk these data may be read by certain accounts only, and ${reason}.`;
}
