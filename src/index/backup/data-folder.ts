/** Marks a data folder during a restore, so that an interrupted restore is noticed. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../platform/file-system/private-files.js";
import { SetupError } from "../collections/setup-error.js";

const MARK = "restore-unfinished";

/** Marks that a restore has begun. */
export async function beginRestore(dataDir: string, made: string): Promise<void> {
  await makePrivateFolder(dataDir);
  await writePrivateFile(join(dataDir, MARK), `${made}\n`);
}

export const endRestore = (dataDir: string): Promise<void> =>
  rm(join(dataDir, MARK), { force: true });

/** The time of the backup whose restore was interrupted; undefined if there is none. */
export async function unfinishedRestore(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, MARK), "utf8").catch(() => undefined);
  return text?.trim();
}

/** @throws SetupError if a restore was interrupted */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  if ((await unfinishedRestore(dataDir)) === undefined) return;
  throw new SetupError(
    `A restore into ${dataDir} was interrupted: run \`climate-nextgen restore\` again.`,
  );
}
