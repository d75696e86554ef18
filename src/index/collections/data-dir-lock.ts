/** The lock of the data folder, which only one service may use at a time. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isMissing, refusalOf } from "../../platform/errors.js";
import { makePrivateFolder } from "../../platform/file-system/private-files.js";
import { type Lock, tryLock } from "../../platform/processes/process-lock.js";
import { SetupError } from "./setup-error.js";

/** Another service uses the data folder. */
export class DataDirInUse extends SetupError {
  override readonly name = "DataDirInUse";
  constructor(
    readonly pid: number,
    dataDir: string,
  ) {
    super(
      `Another climate-nextgen (process ${pid}) already uses the data folder ${dataDir}; stop it or set DATA_DIR to another folder.`,
    );
  }
}

/**
 * Creates the data folder if it is missing.
 *
 * @throws SetupError if it cannot be created or written
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  await makePrivateFolder(dataDir)
    .then(() => access(dataDir, constants.W_OK | constants.X_OK))
    .catch((cause: unknown) => {
      throw unusable(dataDir, cause);
    });
}

const unusable = (dataDir: string, cause: unknown): SetupError =>
  new SetupError(
    `The data folder ${resolve(dataDir)} cannot be used (${reasonOf(cause)}); set DATA_DIR to another folder.`,
    { cause },
  );

/** A folder that can neither be found nor made, such as one in /proc, does not exist and never will. */
const reasonOf = (cause: unknown): string =>
  isMissing(cause) ? "it cannot be created there" : refusalOf(cause);

/**
 * Locks the data folder until `release` or the end of this process.
 *
 * @throws SetupError if the folder cannot be created or written
 */
export async function lockDataDir(dataDir: string): Promise<Lock> {
  await makeDataDir(dataDir);
  const outcome = await tryLock(join(dataDir, "service.lock")).catch((cause: unknown) => {
    throw unusable(dataDir, cause);
  });
  if ("holder" in outcome) throw new DataDirInUse(outcome.holder, resolve(dataDir));
  return outcome;
}
