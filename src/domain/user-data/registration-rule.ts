/**
 * What a user may register, and so read and share: files in folders of their own, and files that belong to
 * them on the machine. That a file is public in the index already is another matter, and is asked elsewhere.
 */
import { isAbsolute, relative, sep } from "node:path";
import { isPerson } from "../../platform/system-accounts.js";
import type { Owner } from "./owner.js";

export interface Place {
  /** Real: links resolved. */
  readonly path: string;
  /** The owner of the file on this machine, if the file exists. */
  readonly uid: number | undefined;
}

export interface RegistrationFolders {
  /** Patterns such as `/work/{user}`, for accounts of this service. */
  readonly local: readonly string[];
  /** The same, with `{sub}` or `{user}`, for accounts of the outside identity provider. */
  readonly outside: readonly string[];
}

/** What the rule has to know of the machine. */
export interface MachineLookups {
  /** The user id of the machine's account of a name. */
  uidOf(name: string): Promise<number | undefined>;
  /** A folder with its links resolved; as it is where it is not there. */
  realPath(folder: string): Promise<string>;
}

/** Of a pattern, the segment that stands for a name. */
const PLACEHOLDERS = ["{user}", "{sub}"];

/** Whether a text can be a pattern: an absolute path of which one segment is a placeholder of these names. */
export function isFolderPattern(text: string, names: readonly string[]): boolean {
  const segments = text.split("/").slice(1);
  const holders = segments.filter((segment) => /[{}]/.test(segment));
  const plain = segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
  return (
    isAbsolute(text) && plain && holders.length === 1 && names.some((n) => holders[0] === `{${n}}`)
  );
}

interface Pattern {
  /** The folder before the placeholder. */
  readonly above: string;
  readonly holder: "user" | "sub";
  /** What follows the placeholder, segment by segment. */
  readonly below: readonly string[];
}

function patternOf(text: string): Pattern {
  const segments = text.split("/");
  const at = segments.findIndex((segment) => PLACEHOLDERS.includes(segment));
  return {
    above: segments.slice(0, at).join("/") || "/",
    holder: segments[at] === "{sub}" ? "sub" : "user",
    below: segments.slice(at + 1),
  };
}

export class RegistrationRule {
  readonly #local: readonly Pattern[];
  readonly #outside: readonly Pattern[];
  readonly #machine: MachineLookups;

  constructor({ local, outside }: RegistrationFolders, machine: MachineLookups) {
    this.#machine = machine;
    this.#local = local.map(patternOf);
    this.#outside = outside.map(patternOf);
  }

  /** Whether a place is the owner's own: in a folder of theirs, or a file that is theirs on the machine. */
  async allows(owner: Owner, { path, uid }: Place): Promise<boolean> {
    return (await this.#isInOwnFolder(owner, path)) || (await this.#belongsTo(owner, uid));
  }

  /** Whether a place lies in a folder that is kept for somebody else, be there such an account or not. */
  async isAnothers(owner: Owner, path: string): Promise<boolean> {
    if (await this.#isInOwnFolder(owner, path)) return false;
    for (const pattern of [...this.#local, ...this.#outside]) {
      if ((await this.#holderIn(pattern, path)) !== undefined) return true;
    }
    return false;
  }

  async #isInOwnFolder(owner: Owner, path: string): Promise<boolean> {
    for (const pattern of owner.isLocal ? this.#local : this.#outside) {
      const own = pattern.holder === "sub" ? owner.sub : owner.user;
      if ((await this.#holderIn(pattern, path)) === own) return true;
    }
    return false;
  }

  /**
   * Whose folder of a pattern a path lies in: a segment of it, so never an empty name, one with a slash, `.` or `..`. Links are
   * followed in the part that the pattern fixes.
   */
  async #holderIn({ above, below }: Pattern, path: string): Promise<string | undefined> {
    const way = relative(await this.#machine.realPath(above), path);
    const [holder, ...rest] = way.split(sep);
    if (holder === ".." || rest.length <= below.length) return undefined;
    return below.every((segment, index) => rest[index] === segment) ? holder : undefined;
  }

  async #belongsTo({ isLocal, user }: Owner, uid: number | undefined): Promise<boolean> {
    if (!isLocal || uid === undefined || !isPerson(uid)) return false;
    return (await this.#machine.uidOf(user)) === uid;
  }
}
