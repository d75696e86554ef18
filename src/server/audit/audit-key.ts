/** The key of the pseudonyms: from the environment, from a file, or generated once beside the records. */
import { randomBytes } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { refusalOf, UserError } from "../../platform/errors.js";
import { Pseudonyms } from "./pseudonyms.js";

/** The configured key: AUDIT_KEY, or a file that it names. */
export interface AuditKey {
  readonly text?: string;
  readonly file?: string;
}

/** The configured key cannot be used. The message never contains the key. */
export class UnusableAuditKey extends UserError {
  override readonly name = "UnusableAuditKey";
}

/** Minimum length in characters: shorter keys can be guessed. */
const MIN_KEY = 16;

export const isAuditKey = (text: string): boolean => text.trim().length >= MIN_KEY;

/**
 * Opens the pseudonyms. With a configured key every name gets one, otherwise only names that were refused.
 *
 * @param folder of the records, where a generated key is kept; without it each process generates its own
 * @throws UnusableAuditKey
 */
export async function openPseudonyms(
  { text, file }: AuditKey,
  folder: string | undefined,
): Promise<Pseudonyms> {
  if (text !== undefined) return new Pseudonyms(Buffer.from(text.trim()), true);
  if (file !== undefined)
    return new Pseudonyms(await read(file, "The file that AUDIT_KEY names"), true);
  if (folder === undefined) return new Pseudonyms(randomBytes(32), false);
  const path = join(folder, "audit.key");
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const known = await read(path, path).catch(() => undefined);
  if (known !== undefined) return new Pseudonyms(known, false);
  try {
    const handle = await open(draft, "wx", 0o600);
    await handle
      .writeFile(`${randomBytes(32).toString("base64url")}\n`)
      .finally(() => handle.close());
    // link() fails where the file exists: of several processes, one creates the key.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    return new Pseudonyms(await read(path, path), false);
  } catch {
    // A full disk must not stop the service.
    return new Pseudonyms(randomBytes(32), false);
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
