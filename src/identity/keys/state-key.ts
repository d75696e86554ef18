/** The state key, which seals the signing keys: from the environment, a file, or made at the first start. */
import { randomBytes } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { refusalOf, UserError } from "../../platform/errors.js";
import { makePrivateFolder, writePrivateFile } from "../../platform/file-system/private-files.js";
import { waitForLock } from "../../platform/processes/process-lock.js";
import type { Report } from "../accounts/records.js";
import { Sealer } from "./sealing.js";
import type { FoundSealer } from "./shared-keys.js";

/** A state key file that cannot be used. The message is one sentence, without the file's content. */
export class UnusableStateKey extends UserError {
  override readonly name = "UnusableStateKey";
}

/** The file of the state key. By default it is in the data folder. */
export interface StateKeySetting {
  /** The keys: 32 bytes each in base64url or base64, separated by blanks. The first seals, all of them open. */
  readonly text?: string;
  readonly file?: string;
}

const KEY = /^[A-Za-z0-9_+/-]{43}=?$/;

/** Whether a text is one state key or more. */
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
 * The sealer of the configured state key.
 *
 * @param isEmpty whether nothing is sealed yet, so that a missing state key may be made
 * @param report gets a line if a key is made, or if its file is readable by everybody
 */
export async function findSealer(
  setting: StateKeySetting,
  dataDir: string,
  isEmpty: boolean,
  report: Report,
): Promise<FoundSealer> {
  if (setting.text !== undefined) return { sealer: sealerOf(setting.text) };
  if (setting.file !== undefined) {
    const text = await readKeys(setting.file, report, "The file that STATE_KEY names");
    return { sealer: sealerOf(text) };
  }
  const path = join(dataDir, "state.key");
  await makePrivateFolder(dataDir);
  const lock = await waitForLock(join(dataDir, "accounts.lock"));
  try {
    if ((await stat(path).catch(() => undefined)) !== undefined) {
      return { sealer: sealerOf(await readKeys(path, report)) };
    }
    if (!isEmpty) {
      throw new UnusableStateKey(
        "The signing keys in Solr's collection state are sealed, and no state key is set: set STATE_KEY to the key that sealed them (if it was not set, the file state.key in the DATA_DIR of the instance that made them).",
      );
    }
    const made = randomBytes(32).toString("base64url");
    await writePrivateFile(path, `${made}\n`);
    report(
      `Created ${path}, the key that seals the signing keys in Solr. Other instances need it as STATE_KEY.`,
    );
    return { sealer: sealerOf(made), discard: () => rm(path, { force: true }) };
  } finally {
    await lock.release();
  }
}

async function readKeys(path: string, report: Report, named = path): Promise<string> {
  const [found, text] = await Promise.all([stat(path), readFile(path, "utf8")]).catch((cause) => {
    throw new UnusableStateKey(`${named} cannot be read (${refusalOf(cause)}).`, { cause });
  });
  if ((found.mode & 0o007) !== 0)
    report(
      `${path} is readable by everybody on this machine; only its owner should be able to read it.`,
    );
  if (isStateKey(text)) return text;
  throw new UnusableStateKey(
    `${named} must contain keys of 32 bytes in base64url, separated by blanks.`,
  );
}
