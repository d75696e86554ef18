/**
 * Pseudonyms: keyed hashes of names, stable as long as the key is. The key is from the environment, from a file, or generated
 * once beside the records.
 */
import { createHmac, randomBytes } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { isMissing, refusalOf, UserError } from "../../platform/errors.js";
import { giveToOwner } from "../../platform/file-system/private-files.js";

/** 96 bits of base64url, enough to make collisions negligible. */
const LENGTH = 16;

/** Hashes kept in memory: one client causes many events. */
const MAX_CACHED = 5000;

export class Pseudonyms {
  readonly #cache = new LRUCache<string, string>({
    max: MAX_CACHED,
    memoMethod: (text) => this.of(text),
  });
  readonly #key: Uint8Array;
  /** Whether signed-in users and addresses get pseudonyms as well. */
  readonly #isForAll: boolean;

  constructor(key: Uint8Array, isForAll: boolean) {
    this.#key = key;
    this.#isForAll = isForAll;
  }

  /** The pseudonym of a known user or an address; the text itself unless pseudonyms are for all. */
  known(text: string): string {
    return this.#isForAll ? this.#cache.memo(text) : text;
  }

  /** The pseudonym of text typed as a user name, which may be a password in the wrong field. */
  of(text: string): string {
    const hash = createHmac("sha256", this.#key).update(text).digest("base64url");
    return `p.${hash.slice(0, LENGTH)}`;
  }
}

/** The file of a generated key, in the folder of the records. */
const GENERATED = "audit.key";

/** The configured key: AUDIT_KEY, or a file that it names. */
export interface AuditKey {
  readonly text?: string;
  readonly file?: string;
}

/** The configured key cannot be used. The message never contains the key. */
class UnusableAuditKey extends UserError {
  override readonly name = "UnusableAuditKey";
}

/** Minimum length in characters: shorter keys can be guessed. */
const MIN_KEY = 16;

export const isAuditKey = (text: string): boolean => text.trim().length >= MIN_KEY;

/**
 * The pseudonyms of a key that exists. With a configured key every name gets one, otherwise only names that were refused.
 *
 * @param folder of the records, where a generated key is kept
 * @throws UserError if the key cannot be read
 */
export async function knownPseudonyms(
  { text, file }: AuditKey,
  folder: string,
): Promise<Pseudonyms> {
  if (text !== undefined) return new Pseudonyms(Buffer.from(text.trim()), true);
  if (file !== undefined)
    return new Pseudonyms(await read(file, "The file that AUDIT_KEY names"), true);
  const path = join(folder, GENERATED);
  return new Pseudonyms(await read(path, path), false);
}

/**
 * The same, with a key that is generated if none is configured and the folder has none.
 *
 * @param folder without it each process generates its own key
 * @param report called with the reason why this process has a key of its own although there is a folder
 */
export async function openPseudonyms(
  key: AuditKey,
  folder: string | undefined,
  report: (problem: string) => void,
): Promise<Pseudonyms> {
  if (key.text !== undefined || key.file !== undefined) return knownPseudonyms(key, folder ?? "");
  if (folder === undefined) return new Pseudonyms(randomBytes(32), false);
  try {
    return await knownPseudonyms(key, folder).catch(async (error: Error) => {
      if (!isMissing(error.cause)) throw error;
      await generateKey(folder);
      return knownPseudonyms(key, folder);
    });
  } catch (error) {
    // A full disk must not stop the service.
    report(`${(error as Error).message} Pseudonyms have another key until the next start.`);
    return new Pseudonyms(randomBytes(32), false);
  }
}

/** Creates the key, unless another process has just done so. */
async function generateKey(folder: string): Promise<void> {
  const path = join(folder, GENERATED);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await giveToOwner(handle, folder);
      await handle.writeFile(`${randomBytes(32).toString("base64url")}\n`);
    } finally {
      await handle.close();
    }
    // link() fails where the file exists.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } catch (cause) {
    throw new UnusableAuditKey(`${path} cannot be made (${refusalOf(cause)}).`, { cause });
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

async function read(path: string, named: string): Promise<Uint8Array> {
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new UnusableAuditKey(`${named} cannot be read (${refusalOf(cause)}).`, { cause });
  });
  if (isAuditKey(text)) return Buffer.from(text.trim());
  throw new UnusableAuditKey(`${named} must have at least ${MIN_KEY} characters.`);
}
