/** Files of days past are removed: of the names that are written here alone, and nothing else of the folder. */
import { lstat, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { dayInName, firstOf } from "./days.js";

/**
 * Removes what is older; what cannot be removed stays until the next day.
 *
 * @param days that are kept, today being one of them
 */
export async function removeOld(folder: string, days: number, today: string): Promise<void> {
  const oldest = firstOf(days, today);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const day = dayInName(name);
    if (day === undefined || day >= oldest) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile()) await unlink(path).catch(() => {});
  }
}
