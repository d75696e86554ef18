/**
 * Which files users may register, and so read and share: files in their own folders, and files that they own on the machine.
 * Files that are already public in the index are checked elsewhere.
 */
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { isPerson } from "../../platform/processes/system-accounts.js";
import { Unreadable } from "../extent/period.js";
import type { Owner } from "./owner.js";

interface RegisteredPath {
  /** With symbolic links resolved. */
  readonly path: string;
  /** Owner of the file on this machine, if it exists. */
  readonly uid: number | undefined;
}

export interface RegistrationFolders {
  /** For local accounts: patterns such as `/work/{user}`. */
  readonly local: readonly string[];
  /** For accounts of the external identity provider: patterns with `{sub}` or `{user}`. */
  readonly outside: readonly string[];
}

/** Lookups on this machine. */
export interface MachineLookups {
  /** User id of the account of a name. */
  uidOf(name: string): Promise<number | undefined>;
  /** The folder with symbolic links resolved; unchanged if it does not exist. */
  realPath(folder: string): Promise<string>;
}

/** Whether a text is a valid pattern: an absolute path with exactly one of these placeholders as a segment. */
export function isFolderPattern(text: string, names: readonly string[]): boolean {
  const segments = text.split("/").slice(1);
  const holders = segments.filter((segment) => /[{}]/.test(segment));
  const plain = segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
  return (
    isAbsolute(text) && plain && holders.length === 1 && names.some((n) => holders[0] === `{${n}}`)
  );
}

interface Pattern {
  /** Folder above the placeholder. */
  readonly above: string;
  readonly holder: "user" | "sub";
  /** Segments below the placeholder. */
  readonly below: readonly string[];
}

function patternOf(text: string): Pattern {
  const segments = text.split("/");
  const at = segments.findIndex((segment) => ["{user}", "{sub}"].includes(segment));
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

  /** Whether a path lies in one of the owner's folders, or is a file of theirs. */
  async allows(owner: Owner, { path, uid }: RegisteredPath): Promise<boolean> {
    return (await this.#isInOwnFolder(owner, path)) || (await this.#belongsTo(owner, uid));
  }

  /** Whether a path lies in a folder reserved for another name, even if that account does not exist. */
  async isReservedForOther(owner: Owner, path: string): Promise<boolean> {
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
   * The name in whose folder a path lies. It is a path segment, so it is never empty, `.`, `..` or a name with a slash.
   * Symbolic links are resolved above the placeholder.
   */
  async #holderIn({ above, below }: Pattern, path: string): Promise<string | undefined> {
    const inside = relative(await this.#machine.realPath(above), path);
    const [holder, ...rest] = inside.split(sep);
    if (holder === ".." || rest.length <= below.length) return undefined;
    return below.every((segment, index) => rest[index] === segment) ? holder : undefined;
  }

  async #belongsTo({ isLocal, user }: Owner, uid: number | undefined): Promise<boolean> {
    if (!isLocal || uid === undefined || !isPerson(uid)) return false;
    return (await this.#machine.uidOf(user)) === uid;
  }
}

/**
 * The absolute path of a path or a `file:` URL (RFC 8089), without `.`, `..`, empty segments and a trailing slash. Symbolic
 * links are not resolved.
 *
 * @returns undefined for text that names nothing on this machine, such as a URL of another host
 * @throws Unreadable for an invalid `file:` URL
 */
export function namedPath(text: string): string | undefined {
  if (!text.startsWith("/") && !/^file:/i.test(text)) return undefined;
  const path = text.startsWith("/") ? text : pathInAddress(text);
  // No file name contains a NUL.
  return path === undefined || path.includes("\0") ? undefined : resolve(path);
}

function pathInAddress(text: string): string | undefined {
  try {
    const url = new URL(text);
    // URL drops `localhost`; any other host is another machine.
    return url.host === "" ? fileURLToPath(url) : undefined;
  } catch (cause) {
    throw new Unreadable("is not a valid file: URL", { cause });
  }
}
