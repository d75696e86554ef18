/** Changes to users and clients: one at a time, also where two commands run at once. */
import { join } from "node:path";
import type { Config } from "../config.js";
import { waitForLock } from "../process-lock.js";

/** Runs a change of the data folder's accounts alone. */
export async function editAccounts<T>(config: Config, change: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(join(config.dataDir, "accounts.lock"));
  try {
    return await change();
  } finally {
    await lock.release();
  }
}
