/** Packages of npm for tests, of fixed versions, in folders that the tests make themselves. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packagePath } from "../../../src/platform/package-root.js";

const run = promisify(execFile);

/** Runs npm in a folder. No dependency's script runs. */
const npm = (folder: string, ...words: string[]) =>
  run("npm", [...words, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    ...{ cwd: folder, timeout: 600_000, maxBuffer: 64 << 20 },
  });

/**
 * A folder below node_modules/.cache, made where it is missing, whoever else does so; for a beforeAll with some minutes of time.
 *
 * @param recipe what it is made from; with another recipe it is another folder
 */
async function madeFolder(
  name: string,
  recipe: string,
  make: (fresh: string) => Promise<void>,
): Promise<string> {
  const stamp = createHash("sha256").update(recipe).digest("hex").slice(0, 12);
  const folder = packagePath("node_modules", ".cache", `${name}-${stamp}`);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  try {
    await make(fresh);
    // Whole or not at all; where another run was faster, its folder is as good.
    await rename(fresh, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return folder;
}

/** A folder with packages installed. */
export function installed(
  name: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<string> {
  const manifest = JSON.stringify({ private: true, dependencies });
  return madeFolder(name, manifest, async (fresh) => {
    await writeFile(join(fresh, "package.json"), manifest);
    await npm(fresh, "install");
  });
}
