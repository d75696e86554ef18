import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, rename, rm } from "node:fs/promises";

/**
 * Creates a folder and its missing parents, accessible only to their owner. An existing folder keeps its mode: DATA_DIR may
 * be shared with other programs, and private files are in folders below it.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  // The umask may have removed further permissions.
  if (made !== undefined) await chmod(folder, 0o700);
}

/** Writes a file atomically with mode 0600: a reader sees the old file or the new one. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
}
