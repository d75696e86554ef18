/** Removes old files of the audit log, and no other file in its folder. */
import { lstat, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { dayInName, firstOf } from "./days.js";

/**
 * Removes files older than `days`. A file that cannot be removed is tried again the next day.
 *
 * @param days that are kept, including today
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
