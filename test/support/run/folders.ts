/** Folders of a test file, which are removed after its last test. */
import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

/** Makes an empty folder. @returns its path without symbolic links */
export function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "climate-test-")));
  folders.push(folder);
  return folder;
}

/** Removes the folders made so far. It runs after each test file. */
export async function removeFolders(): Promise<void> {
  const all = folders.splice(0);
  await Promise.all(all.map((path) => rm(path, { recursive: true, force: true })));
}
