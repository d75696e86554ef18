/** Files of days past are removed: of the names that are written here alone, and nothing else of the folder. */
import { lstat, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";

const NAME = /^(?:audit|statistics)-(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** The day of a file that is written here; undefined of any other. */
export const dayInName = (name: string): string | undefined => NAME.exec(name)?.[1];

const DAY_MS = 86_400_000;

/**
 * Removes what is older; what cannot be removed stays until the next day.
 *
 * @param days that are kept, today being one of them
 */
export async function removeOld(folder: string, days: number, today: string): Promise<void> {
  const oldest = new Date(Date.parse(today) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const day = dayInName(name);
    if (day === undefined || day >= oldest) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile()) await unlink(path).catch(() => {});
  }
}
