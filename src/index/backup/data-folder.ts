/** What backup and restore do in a data folder: account files, the index of the embedded Solr, and the mark of a restore. */
import { randomBytes } from "node:crypto";
import { copyFile, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../platform/errors.js";
import {
  makePrivate,
  makePrivateFolder,
  writePrivateFile,
} from "../../platform/file-system/private-files.js";
import { waitForLock } from "../../platform/processes/process-lock.js";
import { SetupError } from "../collections/setup-error.js";
import { exists, prepareCores } from "../embedded/cores.js";
import { backupLinks } from "../embedded/embedded.js";

/** Names in a data folder and in a backup. The last one marks that the sample has been loaded. */
const ACCOUNT_FILES = ["users.json", "clients.json", "sample-loaded"];
const KEYS = "keys";

/**
 * Copies users, clients and signing keys to a folder that only its owner can read. The key that encrypts keys in Solr is not
 * copied.
 */
export async function copyAccounts(from: string, to: string): Promise<void> {
  await makePrivateFolder(to);
  for (const name of ACCOUNT_FILES) await copyPrivately(join(from, name), join(to, name));
  const keys = await readdir(join(from, KEYS)).catch(() => []);
  if (keys.length === 0) return;
  await makePrivateFolder(join(to, KEYS));
  for (const name of keys.filter((one) => one.endsWith(".json"))) {
    await copyPrivately(join(from, KEYS, name), join(to, KEYS, name));
  }
}

export async function removeAccounts(from: string): Promise<void> {
  for (const name of [...ACCOUNT_FILES, KEYS]) {
    await rm(join(from, name), { recursive: true, force: true });
  }
}

export async function hasAccounts(folder: string): Promise<boolean> {
  const found = await Promise.all(
    ["users.json", "clients.json"].map((name) => exists(join(folder, name))),
  );
  return found.includes(true);
}

async function copyPrivately(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
    await makePrivate(to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** The file that marks a restore, so that an interrupted one is noticed. */
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

/** The folder name that Solr's replication handler gives a core's backup. */
const snapshotOf = (name: string): string => `snapshot.${name}`;

/** Replaces the existing home in one step, after the new one is complete. */
export async function layOutIndex(
  folder: string,
  from: string,
  names: readonly string[],
): Promise<void> {
  const [home, draft] = [join(folder, "home"), join(folder, "home.restored")];
  await rm(draft, { recursive: true, force: true });
  await makePrivateFolder(draft);
  await prepareCores(draft, names);
  for (const name of names) {
    const index = join(draft, name, "data", "index");
    await makePrivateFolder(index);
    for (const file of await readdir(join(from, snapshotOf(name)))) {
      await copyFile(join(from, snapshotOf(name), file), join(index, file));
      await makePrivate(join(index, file));
    }
  }
  await rm(home, { recursive: true, force: true });
  await rename(draft, home);
}

/** @throws SetupError if Solr wrote to a folder of another machine, or the copy of one of these cores is incomplete */
export async function requireWritten(folder: string, cores: readonly string[]): Promise<void> {
  if ((await readdir(folder)).length === 0) {
    throw new SetupError(
      `Solr has written its part, but not to ${folder} of this machine: the folder must be shared by both.`,
    );
  }
  for (const name of cores) {
    const copy = join(folder, snapshotOf(name));
    // Lucene opens an index by this file.
    if ((await readdir(copy).catch(() => [])).some((file) => file.startsWith("segments_")))
      continue;
    throw new SetupError(`${copy} is incomplete; make the backup again, in another folder.`);
  }
}

/**
 * Runs `work` with a symbolic link to a folder: the embedded Solr may only write below a folder of its own. One command at a time
 * has a link, as each also removes those that killed commands left behind.
 *
 * @param onWait is called with the process that has a link, before this one waits for it
 */
export async function withLink<T>(
  dataDir: string,
  folder: string,
  work: (link: string) => Promise<T>,
  onWait: (holder: number) => void,
): Promise<T> {
  const links = backupLinks(dataDir);
  const lock = await waitForLock(`${links}.lock`, { onWait });
  try {
    await rm(links, { recursive: true, force: true });
    await makePrivateFolder(links);
    const link = join(links, randomBytes(6).toString("hex"));
    await symlink(folder, link);
    return await work(link);
  } finally {
    await rm(links, { recursive: true, force: true }).finally(() => lock.release());
  }
}
