/** The key under which private keys are sealed: from the environment, a file, or one that a first start makes. */
import { randomBytes } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../platform/errors.js";
import { makePrivateFolder, writePrivateFile } from "../../platform/private-files.js";
import { waitForLock } from "../../platform/process-lock.js";
import type { Report } from "../accounts/json-file.js";
import { Sealer } from "./sealing.js";
import type { FoundSealer } from "./shared-keys.js";

/** A file of STATE_KEY_FILE that cannot be used; the message is one sentence, and shows nothing of it. */
export class UnusableStateKey extends UserError {
  override readonly name = "UnusableStateKey";
}

/** Where the key is; the file of the data folder where nothing is said. */
export interface StateKeySetting {
  /** The keys themselves: 32 bytes each in base64url or base64, separated by blanks; the first seals, all open. */
  readonly text?: string;
  readonly file?: string;
}

const KEY = /^[A-Za-z0-9_+/-]{43}=?$/;

/** Whether a text is one key or several. */
export const isStateKey = (text: string): boolean => {
  const words = text.trim().split(/\s+/);
  return words.every((word) => KEY.test(word));
};

const sealerOf = (text: string): Sealer => {
  const [first = "", ...others] = text.trim().split(/\s+/);
  const bytes = (word: string): Uint8Array => new Uint8Array(Buffer.from(word, "base64url"));
  return new Sealer([bytes(first), ...others.map(bytes)]);
};

/**
 * What seals and opens.
 *
 * @param isEmpty whether nothing is sealed yet, so that a new key may be made where there is none
 * @param report hears of a key that was made, and of a file that others can read
 * @throws UnusableStateKey
 */
export async function findSealer(
  setting: StateKeySetting,
  dataDir: string,
  isEmpty: boolean,
  report: Report,
): Promise<FoundSealer> {
  if (setting.text !== undefined) return kept(setting.text);
  if (setting.file !== undefined) return kept(await readKeys(setting.file, report));
  const path = join(dataDir, "state.key");
  await makePrivateFolder(dataDir);
  const lock = await waitForLock(join(dataDir, "accounts.lock"));
  try {
    if ((await stat(path).catch(() => undefined)) !== undefined) {
      return kept(await readKeys(path, report));
    }
    if (!isEmpty) {
      throw new UnusableStateKey(
        `The signing keys in Solr's collection state are sealed, and there is nothing to open them with: set STATE_KEY or STATE_KEY_FILE to the key that they were sealed under (the file state.key in the DATA_DIR of the instance that made them, where neither was set).`,
      );
    }
    const made = randomBytes(32).toString("base64url");
    await writePrivateFile(path, `${made}\n`);
    report(
      `${path} was made: the key that seals the signing keys in Solr. Other instances need it, as STATE_KEY or STATE_KEY_FILE.`,
    );
    return { sealer: sealerOf(made), discard: () => rm(path, { force: true }) };
  } finally {
    await lock.release();
  }
}

/** One that was there before. */
const kept = (text: string): FoundSealer => ({ sealer: sealerOf(text), discard: async () => {} });

async function readKeys(path: string, report: Report): Promise<string> {
  const [found, text] = await Promise.all([stat(path), readFile(path, "utf8")]).catch((cause) => {
    throw new UnusableStateKey(
      `${path} cannot be read: ${(cause as NodeJS.ErrnoException).code}.`,
      { cause },
    );
  });
  if ((found.mode & 0o007) !== 0)
    report(`${path} can be read by everybody on this machine; it should be for its owner alone.`);
  if (isStateKey(text)) return text;
  throw new UnusableStateKey(
    `${path} must hold keys of 32 bytes in base64url, separated by blanks.`,
  );
}
