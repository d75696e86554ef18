/** Packages of npm for tests, of fixed versions, in folders that the tests make themselves. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { madeFolder, makeFolder, type Recipe } from "./made-folder.js";

const run = promisify(execFile);

const manifestOf = (dependencies: Readonly<Record<string, string>>): string =>
  JSON.stringify({ private: true, dependencies });

/** Packages with their versions. */
export interface NpmPackages {
  readonly what: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const recipeOf = ({ what, dependencies }: NpmPackages): Recipe => ({
  what,
  text: manifestOf(dependencies),
});

/** The folder that holds node_modules. @throws if it is not made */
export const npmFolder = (packages: NpmPackages): string => madeFolder(recipeOf(packages));

/** Installs packages if they are missing. No dependency's script runs. */
export async function makeNpmFolder(packages: NpmPackages): Promise<void> {
  await makeFolder(recipeOf(packages), async (draft) => {
    await writeFile(join(draft, "package.json"), manifestOf(packages.dependencies));
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await run("npm", ["install", ...quiet], { cwd: draft, maxBuffer: 64 << 20 });
  });
}
