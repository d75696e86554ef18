import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, rename, rm } from "node:fs/promises";

/**
 * Makes `folder` and those above it, readable by their owner alone. One that is there keeps its mode:
 * DATA_DIR may be a folder that others use too, and what is ours lies in folders below it.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  // A umask may have taken more away.
  if (made !== undefined) await chmod(folder, 0o700);
}

/** Writes `text` to `path` with mode 0600, all or nothing: a reader sees the old file or the new one. */
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
