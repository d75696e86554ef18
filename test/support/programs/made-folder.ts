/**
 * Folders of what the tests install, in the user's cache: all clones share them. A folder is made beside its place and renamed,
 * so a run that is ended leaves nothing half made.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const CACHE = join(
  process.env.XDG_CACHE_HOME || join(homedir(), ".cache"),
  "climate-nextgen",
  "tests",
);

export interface Recipe {
  /** Its name in messages and in the cache. */
  readonly what: string;
  /** The text that defines the contents. Another text makes another folder. */
  readonly text: string;
  /** A path that a whole folder has; it may be gone if it leads to something of the machine. */
  readonly proof?: string;
}

export function folderOf({ what, text }: Recipe): string {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return join(CACHE, `${what.toLowerCase().replace(/\W+/g, "-")}-${hash}`);
}

const isMade = (recipe: Recipe): boolean => existsSync(join(folderOf(recipe), recipe.proof ?? "."));

/** @throws if it is not made: tests make nothing themselves, because that would take their time */
export function madeFolder(recipe: Recipe): string {
  if (isMade(recipe)) return folderOf(recipe);
  throw new Error(
    `${recipe.what} is not installed: name the test file in test/support/run/needs.ts`,
  );
}

/** Milliseconds of the pauses between attempts to install something. */
const PAUSES_MS = [5_000, 20_000];

/** Installs something, in three attempts: a registry may not answer for a moment. */
export async function persistently<T>(install: () => T | Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await install();
    } catch {
      await sleep(pause);
    }
  }
  return await install();
}

/** @param make fills an empty folder; the folder's path in its texts becomes the final one */
export async function makeFolder(
  recipe: Recipe,
  make: (draft: string) => unknown,
): Promise<string> {
  const folder = folderOf(recipe);
  if (isMade(recipe)) return folder;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await make(draft);
    if (existsSync(folder) && !isMade(recipe)) await rm(folder, { recursive: true, force: true });
    // If another run was faster, its folder is as good.
    await rename(draft, folder).catch((error) => {
      if (!isMade(recipe)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

/** Puts another path into the programs of a virtual environment, which name its folder. */
export async function movePrograms(bin: string, from: string, to: string): Promise<void> {
  for (const entry of await readdir(bin, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(bin, entry.name);
    const text = await readFile(path, "latin1");
    if (text.startsWith("\x7fELF") || !text.includes(from)) continue;
    await writeFile(path, text.replaceAll(from, to), "latin1");
  }
}
