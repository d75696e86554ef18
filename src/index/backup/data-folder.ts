/** What a restore does to a data folder, so that one that was broken off is known as such. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../platform/private-files.js";
import { SetupError } from "../collections/setup-error.js";

const MARK = "restore-unfinished";

/** Notes that a restore has begun. @param made of which backup */
export async function beginRestore(dataDir: string, made: string): Promise<void> {
  await makePrivateFolder(dataDir);
  await writePrivateFile(join(dataDir, MARK), `${made}\n`);
}

export const endRestore = (dataDir: string): Promise<void> =>
  rm(join(dataDir, MARK), { force: true });

/** Of which backup a restore was broken off; undefined where none was. */
export async function unfinishedRestore(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, MARK), "utf8").catch(() => undefined);
  return text?.trim();
}

/** @throws SetupError where a restore was broken off */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  if ((await unfinishedRestore(dataDir)) === undefined) return;
  throw new SetupError(
    `A restore into ${dataDir} was broken off: run \`climate-nextgen restore\` again.`,
  );
}
