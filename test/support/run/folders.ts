/** Folders of a test file, which are removed after its last test. */
import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const folders: string[] = [];

/** Makes an empty folder. @returns its path without symbolic links */
export function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "climate-test-")));
  folders.push(folder);
  return folder;
}

/** Removes the folders made so far. Runs after each test file (wait-for-needs.ts). */
export async function removeFolders(): Promise<void> {
  const all = folders.splice(0);
  // Node's own `rm` fails on paths longer than PATH_MAX, which tests of crawls make.
  if (all.length > 0) await promisify(execFile)("rm", ["-rf", ...all]);
}
