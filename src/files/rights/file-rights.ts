/**
 * Who may read a file on this machine may read it here, and nobody else.
 *
 * The service itself may read more than its callers: what is decided here is all that stands between. What is known of
 * accounts and of files is old by REMEMBERED twice at most, with the time that looking takes, so that a right which is taken
 * away is gone within a minute; a change of the file itself is seen at once.
 */
import { dirname } from "node:path";
import type { Owner } from "../../domain/user-data/owner.js";
import { batchesOf } from "../../platform/time-slices.js";
import { NotYours } from "../errors.js";
import { FileChanged } from "../netcdf/errors.js";
import { PASS, READ } from "./acl.js";
import { OTHERS, permits, reaches, reads, type Who } from "./decide.js";
import { Accounts, type Directory, machineDirectory } from "./file-user.js";
import type { Tools, Way } from "./path-nodes.js";
import { Ways } from "./path-walk.js";

/** Milliseconds. */
const REMEMBERED = 20_000;
/** Ways of links in a list that are looked for at once. */
const MAX_AT_ONCE = 64;

export interface FileRightsOptions {
  readonly tools: Tools;
  /** Whether lists leave out what the caller may not read. */
  readonly hides?: boolean;
  readonly directory?: Directory;
  /** Milliseconds for which what was found out is taken for true, twice. */
  readonly remembered?: number;
}

/** What was opened: see whatIs. */
export interface Opened {
  /** Device and inode, in decimal. */
  readonly id: string;
  /** Nanoseconds since 1970 of the last change of anything about it. */
  readonly changed: string;
}

/** Somebody for whom data are read. */
export interface Reader extends Owner {
  /** Whether another reads what they have shared. */
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
    remembered = REMEMBERED,
  }: FileRightsOptions) {
    this.hides = hides;
    this.#ways = new Ways(tools, remembered);
    this.#accounts = new Accounts(directory, remembered);
  }

  /**
   * Whether somebody may read a file, or pass through a folder, that was opened.
   *
   * @param path by which it was opened; absolute, without `.` and `..`
   * @param opened undefined where there was nothing, which somebody may know who gets there
   * @throws NotYours when they may not; FileChanged when it is not what was opened; DataUnavailable
   */
  async require(
    reader: Reader,
    path: string,
    opened: Opened | undefined,
    wanted: "read" | "pass" | "list",
  ): Promise<void> {
    const who = await this.#accounts.whoIs(reader);
    const way = await this.#wayTo(path, opened, wanted === "read");
    const bits = { read: READ, pass: PASS, list: READ | PASS }[wanted];
    const isOpen = reaches(way, who) && (way.end === undefined || permits(way.end, who, bits));
    if (!isOpen) throw new NotYours(sentence(reader, who));
  }

  /** @param isFile whether it must be as it was: a folder changes with each file that comes into it */
  async #wayTo(path: string, opened: Opened | undefined, isFile: boolean): Promise<Way> {
    const isIt = ({ end }: Way): boolean =>
      end?.id === opened?.id && (!isFile || end?.changed === opened?.changed);
    const known = await this.#ways.of(path);
    if (isIt(known)) return known;
    const way = await this.#ways.again(path, known);
    if (isIt(way)) return way;
    throw new FileChanged("The file was replaced while it was looked at.");
  }

  /**
   * Which files somebody sees in a list: those that they may read, and those that are not on this machine, as far as they
   * can know that.
   *
   * @param reader undefined for somebody who gives no name
   * @param paths absolute, without `.` and `..`; undefined for what is no place of this machine
   * @throws DataUnavailable
   */
  async visible(
    reader: Owner | undefined,
    paths: readonly (string | undefined)[],
  ): Promise<readonly boolean[]> {
    const who = await this.#accounts.whoIs(reader);
    const seen = paths.map((path) => path === undefined);
    const folders = [...new Set(paths.flatMap((path) => (path ? [dirname(path)] : [])))];
    const ways = new Map<string, Way>();
    await this.#each(folders, (folder, way) => ways.set(folder, way));
    const inside: number[] = [];
    for (const [index, path] of paths.entries()) {
      const way = path === undefined ? undefined : ways.get(dirname(path));
      if (way === undefined || !reaches(way, who)) continue;
      if (way.end === undefined) seen[index] = true;
      else if (permits(way.end, who, PASS)) inside.push(index);
    }
    const entries = await this.#ways.entries(inside.map((index) => paths[index] ?? ""));
    const links = new Map<string, number>();
    for (const [place, entry] of entries.entries()) {
      const index = inside[place] ?? -1;
      if (entry === "link") links.set(paths[index] ?? "", index);
      else seen[index] = entry === "absent" || permits(entry, who, READ);
    }
    const linked = new Map<string, boolean>();
    await this.#each([...links.keys()], (path, way) =>
      linked.set(path, way.end === undefined ? reaches(way, who) : reads(way, who)),
    );
    for (const [index, path] of paths.entries()) seen[index] ||= linked.get(path ?? "") === true;
    return seen;
  }

  async #each(paths: readonly string[], use: (path: string, way: Way) => void): Promise<void> {
    for (const some of batchesOf(paths, MAX_AT_ONCE)) {
      const ways = await Promise.all(some.map((path) => this.#ways.of(path)));
      for (const [index, way] of ways.entries()) use(some[index] ?? "", way);
    }
  }
}

/** What is missing, without a name of a folder that may not be seen. */
function sentence({ user, isLocal, isSharer }: Reader, who: Who): string {
  if (isSharer) return "Who shared these data may not read them on the disk any more.";
  if (who !== OTHERS) {
    const id = who.uid === undefined ? "the groups of your token" : `user id ${who.uid}`;
    return `On the disk your account (${id}) may not read these data: ask whom they belong to for the right.`;
  }
  const reason = isLocal
    ? `your account ${JSON.stringify(user)} is not that of a person on this machine`
    : "your token names no account of this machine";
  return `On the disk these data may be read by certain accounts only, and ${reason}.`;
}
