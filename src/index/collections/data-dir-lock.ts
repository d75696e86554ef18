/** The lock of the data folder, which only one service may use at a time. */
import { join, resolve } from "node:path";
import { refusalOf } from "../../platform/errors.js";
import { makePrivateFolder } from "../../platform/file-system/private-files.js";
import { type Lock, tryLock } from "../../platform/processes/process-lock.js";
import { SetupError } from "./setup-error.js";

/** Another service uses the data folder. */
export class DataDirInUse extends SetupError {
  override readonly name = "DataDirInUse";
  constructor(
    readonly pid: number,
    readonly dataDir: string,
  ) {
    super(
      `Another climate-nextgen (process ${pid}) already uses the data folder ${dataDir}; stop it or set DATA_DIR to another folder.`,
    );
  }
}

/**
 * Locks the data folder until `release` or the end of this process.
 *
 * @throws DataDirInUse; SetupError if the folder cannot be created or written
 */
export async function lockDataDir(dataDir: string): Promise<Lock> {
  const lock = async () => {
    await makePrivateFolder(dataDir);
    return tryLock(join(dataDir, "service.lock"));
  };
  const outcome = await lock().catch((cause: unknown) => {
    throw new SetupError(
      `The data folder ${resolve(dataDir)} cannot be used (${refusalOf(cause)}); set DATA_DIR to another folder.`,
      { cause },
    );
  });
  if ("holder" in outcome) throw new DataDirInUse(outcome.holder, resolve(dataDir));
  return outcome;
}
