import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissing } from "../errors.js";

/**
 * Creates a folder and its missing parents, accessible only to their owner. An existing folder keeps its mode: DATA_DIR may
 * be shared with other programs, and private files are in folders below it.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  // The umask may have removed further permissions.
  if (await makeFolders(folder, 0o700)) await chmod(folder, 0o700);
}

/**
 * Creates a folder and its missing parents. The `recursive` of Node's mkdir reports ENOENT on a read-only file system,
 * and never returns where no folder can be made, such as in /proc.
 *
 * @returns whether the folder itself was created
 */
export async function makeFolders(folder: string, mode: number): Promise<boolean> {
  const isThere = async (): Promise<boolean> =>
    stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
  if (await isThere()) return false;
  const parent = dirname(folder);
  try {
    await makeFolder(folder, mode);
    return true;
  } catch (error) {
    if (await isThere()) return false;
    if (!isMissing(error) || parent === folder) throw error;
  }
  await makeFolders(parent, mode);
  try {
    await makeFolder(folder, mode);
    return true;
  } catch (error) {
    // Another process was faster.
    if (await isThere()) return false;
    throw error;
  }
}

const isRoot = (): boolean => process.getuid?.() === 0;

async function makeFolder(folder: string, mode: number): Promise<void> {
  await mkdir(folder, { mode });
  if (!isRoot()) return;
  // The parent's owner may have put a link in its place.
  const made = await open(folder, constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    await giveToOwner(made, dirname(folder));
  } finally {
    await made.close();
  }
}

/** Gives a file that a command of root's has made to the owner of its folder: the service's own user must be able to use it. */
export async function giveToOwner(file: FileHandle, folder: string): Promise<void> {
  if (!isRoot()) return;
  const [found, owner] = await Promise.all([file.stat(), stat(folder)]);
  if (found.uid !== 0 || owner.uid === 0) return;
  // In some containers root may not do this; nobody else uses the file there.
  await file.chown(owner.uid, owner.gid).catch(() => {});
}

/** Gives a copied file to the owner of its folder alone. */
export async function makePrivate(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.chmod(0o600);
    await giveToOwner(file, dirname(path));
  } finally {
    await file.close();
  }
}

/**
 * Writes a file atomically with mode 0600: a reader sees the old file or the new one.
 *
 * @throws an error of the file system that names `path`; the draft is removed
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await giveToOwner(file, dirname(path));
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    // Node names no path if writing to an open file fails, as on a full disk.
    throw Object.assign(cause as Error, { path });
  }
}
