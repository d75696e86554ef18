/** The data folder belongs to one service at a time. */
import { join, resolve } from "node:path";
import { makePrivateFolder } from "../../platform/private-files.js";
import { type Lock, tryLock } from "../../platform/process-lock.js";
import { SetupError } from "./setup-error.js";

/** A second service on one data folder. */
export class DataDirInUse extends SetupError {
  override readonly name = "DataDirInUse";
  constructor(
    readonly pid: number,
    readonly dataDir: string,
  ) {
    super(
      `Another climate-nextgen (process ${pid}) already uses the data folder ${dataDir}; stop it or set DATA_DIR.`,
    );
  }
}

/**
 * The data folder for this process alone, until `release` or the process ends. Throws DataDirInUse, and
 * SetupError when there can be no such folder.
 */
export async function lockDataDir(dataDir: string): Promise<Lock> {
  await makePrivateFolder(dataDir).catch((cause: NodeJS.ErrnoException) => {
    throw new SetupError(
      `The data folder ${resolve(dataDir)} cannot be used (${cause.code}); set DATA_DIR to another.`,
      { cause },
    );
  });
  const outcome = await tryLock(join(dataDir, "service.lock"));
  if ("holder" in outcome) throw new DataDirInUse(outcome.holder, resolve(dataDir));
  return outcome;
}
